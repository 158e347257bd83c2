import { freeJson } from '../../../endpoints/free-document.ts'

export const prerender = false

/** Cached only briefly: a receipt may be refunded or reversed later, and the 404 for an unknown id must not last. */
export const ALL = freeJson('/api/receipts/{id}.json', async ({ locals, params }) => {
  const receipt = await locals.services.receipt(params.id ?? '')
  return receipt ?? locals.services.problem('not-found', { detail: 'No sale has this receipt' })
})
