import { toStatusAlternate } from '../alternates/status-alternate.ts'
import { shop } from '../config/site-context.ts'
import { toAlternateText } from '../endpoints/alternate-text.ts'
import { freeDocument } from '../endpoints/free-document.ts'
import { served } from '../endpoints/served.ts'

export const prerender = false

/** The markdown alternate of the status page. */
export const ALL = freeDocument(served('/status.md'), async ({ locals }) =>
  toAlternateText(toStatusAlternate(await locals.services.status(), shop.baseUrl), shop.baseUrl),
)
