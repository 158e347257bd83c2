import { freeJson } from '../../endpoints/free-document.ts'

export const prerender = false

export const ALL = freeJson('/api/stats.json', ({ locals }) => locals.services.statistics())
