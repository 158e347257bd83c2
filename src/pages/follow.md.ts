import { toFollowAlternate } from '../alternates/follow-alternate.ts'
import { shop } from '../config/site-context.ts'
import { toAlternateText } from '../endpoints/alternate-text.ts'
import { freeDocument } from '../endpoints/free-document.ts'
import { served } from '../endpoints/served.ts'

export const prerender = false

/** The markdown alternate of the page for followers. */
export const ALL = freeDocument(served('/follow.md'), async ({ locals }) =>
  toAlternateText(toFollowAlternate(locals.services.newsletter, shop.baseUrl), shop.baseUrl),
)
