import { toSalesAlternate } from '../alternates/sales-alternate.ts'
import { shop } from '../config/site-context.ts'
import { toAlternateText } from '../endpoints/alternate-text.ts'
import { freeDocument } from '../endpoints/free-document.ts'
import { served } from '../endpoints/served.ts'

export const prerender = false

/** The markdown alternate of the page of sales statistics. */
export const ALL = freeDocument(served('/stats.md'), async ({ locals }) =>
  toAlternateText(toSalesAlternate(await locals.services.statistics(), shop), shop.baseUrl),
)
