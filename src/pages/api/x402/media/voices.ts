import { freeJson } from '../../../../endpoints/free-document.ts'

export const prerender = false

export const ALL = freeJson('/api/x402/media/voices', async ({ locals }) => locals.services.voices())
