import { freeDocument } from '../discovery/free-document.ts'
import { toStatusTwin } from '../discovery/status-twin.ts'
import { toTwinText } from '../publishing/twins/twin-text.ts'
import { shop } from '../site-context.ts'

export const prerender = false

/** The markdown twin of the status page. */
export const ALL = freeDocument(
  { contentType: 'text/markdown; charset=utf-8', cacheControl: 'no-cache' },
  async ({ locals }) => toTwinText(toStatusTwin(await locals.services.status()), shop.baseUrl),
)
