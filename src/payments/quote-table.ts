import type { IncomingMessage } from 'node:http'
import { prefersHtml } from '../http/negotiate.ts'
import { advertisedPrice, type Offer } from '../offers/offer.ts'
import { challengeHeaders } from './gate.ts'
import { type ChallengeDeps, type ChallengeTemplate, toChallenge } from './wire/challenge.ts'

/** The parts of a precomputed 402 that differ from product to product. */
export interface Quote {
  /** Value of `PAYMENT-REQUIRED`. */
  readonly header: string
  /** JSON in ASCII. */
  readonly body: string
}

/** Answers the most frequent request, an unpaid one without query or body, from precomputed text. */
export interface QuoteTable {
  /** Headers of every quote, apart from its own `PAYMENT-REQUIRED`. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The 402 for a request without body and payment. Undefined for any request that the table does not know exactly:
   * that one goes on to the gate of the product.
   */
  find(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Quote | undefined
  /** Whether this is the method and the path of a product. */
  sells(method: string, path: string): boolean
}

/** Precomputes the 402 of every product, except for what is fresh in each one, such as the random token. */
export function makeQuoteTable(deps: ChallengeDeps, offers: readonly Offer[]): QuoteTable {
  const templates: Record<Offer['method'], Map<string, ChallengeTemplate>> = { GET: new Map(), POST: new Map() }
  for (const offer of offers) {
    const facts = { offer, price: advertisedPrice(offer), reason: 'payment_required' }
    templates[offer.method].set(offer.path, toChallenge(deps, facts))
  }
  return {
    headers: { ...challengeHeaders, 'content-type': 'application/json' },
    find({ method, url = '', headers }) {
      if (method !== 'GET' && method !== 'POST') return undefined
      const template = templates[method].get(url)
      return template && !prefersHtml(headers.accept) ? template.issue() : undefined
    },
    sells: (method, path) => (method === 'GET' || method === 'POST') && templates[method].has(path),
  }
}
