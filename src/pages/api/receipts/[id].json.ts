import { freeJson } from '../../../endpoints/free-document.ts'

export const prerender = false

/** A receipt never changes, but a wrong id must not be remembered; so only a short while. */
export const ALL = freeJson('/api/receipts/{id}.json', async ({ locals, params }) => {
  const receipt = await locals.services.receipt(params.id ?? '')
  return receipt ?? locals.services.problem('not-found', { detail: 'No sale has this receipt' })
})
