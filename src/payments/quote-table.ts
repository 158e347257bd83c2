import type { IncomingMessage, ServerResponse } from 'node:http'
import { advertisedPrice, type Offer } from '../../functions/offer.ts'
import { type ChallengeDeps, toChallenge } from './challenge.ts'
import { challengeHeaders } from './gate.ts'
import { prefersHtml } from './paywall.ts'

/**
 * Answers the commonest request of a shop, an unpaid one without query or body, from prepared text. It can only
 * refuse: whatever it does not know exactly goes on to the handler that gates.
 *
 * @returns a function that answers and returns true, or leaves the request alone and returns false
 */
export function makeQuoteTable(deps: ChallengeDeps, offers: readonly Offer[]) {
  const table = new Map(
    offers.map((offer) => {
      const facts = { offer, path: offer.path, price: advertisedPrice(offer), reason: 'payment_required' }
      return [`${offer.method} ${offer.path}`, toChallenge(deps, facts)]
    }),
  )
  const fixed = Object.entries(challengeHeaders).flat()

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const template = table.get(`${request.method} ${request.url}`)
    if (!template) return false
    const { headers } = request
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
    if (hasBody || headers['payment-signature'] !== undefined || prefersHtml(headers.accept ?? null)) return false
    const { header, body } = template.issue()
    response.writeHead(402, [
      ...fixed,
      'content-type',
      'application/json',
      'content-length',
      String(Buffer.byteLength(body)),
      'payment-required',
      header,
    ])
    response.end(body)
    return true
  }
}
