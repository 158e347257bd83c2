import type { IncomingMessage } from 'node:http'
import { prefersHtml } from '../http/negotiate.ts'
import { advertisedPrice, type Offer } from '../offers/offer.ts'
import { challengeHeaders } from './gate.ts'
import { type ChallengeDeps, type ChallengeTemplate, toChallenge } from './wire/challenge.ts'

/** What differs from one precomputed 402 to the next. */
export interface Quote {
  /** `PAYMENT-REQUIRED`. */
  readonly header: string
  /** ASCII. */
  readonly body: string
}

/** Answers to the commonest request of a shop, an unpaid one without query or body, from prepared text. */
export interface QuoteTable {
  /** What each of them carries beside the header of the quote itself. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The 402 of a request that carries neither body nor payment. It can only refuse: whatever the table does not know
   * exactly goes on to the handler that gates.
   */
  find(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Quote | undefined
  /** Whether this is the method and the path of a product. */
  sells(method: string, path: string): boolean
}

/** Prepares the 402 of every product, all but its random token. */
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
