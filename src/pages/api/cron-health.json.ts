import { freeJson } from '../../endpoints/free-document.ts'

export const prerender = false

/** What it says changes with every second. */
export const ALL = freeJson('/api/cron-health.json', ({ locals }) => locals.services.cronHealth())
