import { freeJson } from '../../discovery/free-json.ts'

export const prerender = false

/** What it says changes with every second. */
export const ALL = freeJson('no-cache', ({ locals }) => locals.services.cronHealth())
