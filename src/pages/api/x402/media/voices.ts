import { freeJson } from '../../../../discovery/free-json.ts'

export const prerender = false

export const ALL = freeJson('public, max-age=300', async ({ locals }) => locals.services.voices())
