import { randomBytes } from 'node:crypto'
import { identifierRule, versionRule } from '../../core/buying-rules.ts'
import { type MicroUsd, toDisplay } from '../../core/money.ts'
import type { InputError } from '../../core/problem.ts'
import { problemKinds } from '../../core/problem-kinds.ts'
import { advertisedPrice, maxTimeoutSeconds, type Offer, pagePath } from '../../offers/offer.ts'
import { toRequirements, type Wallet } from './requirements.ts'

/** Stands where the redelivery token goes: as long as 18 random bytes in base64url. */
const tokenMark = 'redelivery-token-is-here'
const tokensAtOnce = 512
const drawn = { tokens: '', encoded: '', used: tokensAtOnce }

/** A random token, also as it reads inside a base64 header. Drawn in bulk because every 402 needs one. */
function newToken(): { token: string; encoded: string } {
  if (drawn.used === tokensAtOnce) {
    const tokens = randomBytes(18 * tokensAtOnce).toString('base64url')
    Object.assign(drawn, { tokens, encoded: Buffer.from(tokens, 'latin1').toString('base64'), used: 0 })
  }
  const at = drawn.used++
  return { token: drawn.tokens.slice(24 * at, 24 * at + 24), encoded: drawn.encoded.slice(32 * at, 32 * at + 32) }
}

const identifierSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    required: { type: 'boolean' },
    id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$', description: identifierRule },
  },
  required: ['required'],
}

/** How the buyer of one transport is told what to do. */
export interface Wording {
  /** After "and": where the payment goes. */
  pay: string
  /** Sentences: what to do when the answer is lost. */
  rules: string
  /** A sentence: how to ask once more for what may be paid. */
  resend: string
  /** A sentence: how to show that one is the wallet that paid. */
  proof: string
}

export interface ChallengeDeps {
  /** Of the site, where documents and problem pages are. */
  baseUrl: string
  /** Of the product pages. */
  sellerUrl: string
  wording: Wording
  /** What is paid for, as the transport names it. */
  toResourceUrl: (offer: Offer) => string
  /** Shown by wallets and directories; at most 32 printable ASCII characters. */
  serviceName: string
  wallet: Wallet
  /** Extensions that describe the product to directories, such as `bazaar`. */
  advertise: (offer: Offer) => Record<string, unknown>
  /** Told of each 402 that is issued. */
  quoted: (offerId: string) => void
}

/** A 402 that only lacks its random token. */
export interface ChallengeTemplate {
  /** @returns the `PAYMENT-REQUIRED` header and the JSON body (both ASCII), with one fresh token in both */
  issue(): { header: string; body: string }
}

export interface ChallengeFacts {
  offer: Offer
  price: MicroUsd
  /** A code of the x402 vocabulary, or one of ours. */
  reason: string
  /** Why the body that came with the request would be refused. */
  errors?: readonly InputError[]
}

/** Of whoever pays as the first version of x402 did. */
export const wrongVersion = 'invalid_x402_version'

const toDetail = (facts: ChallengeFacts, wording: Wording): string => {
  const { offer, price, reason } = facts
  const pay = `Sign ${toDisplay(price)} in USDC for "${offer.title}" and ${wording.pay}`
  if (facts.errors) return `${pay}; but first repair the request, this one would be refused (uncharged)`
  if (reason === 'payment_required') return `${pay}. ${wording.rules}`
  if (reason === wrongVersion) return `Nothing was charged. ${versionRule}. ${pay}`
  if (reason === 'payment_already_used')
    return 'This signature bought another request, or its redelivery needs the token of the original 402; sign anew for this one'
  return `The payment was not accepted (${reason}) and nothing was charged for this request; sign anew`
}

/** JSON with one byte per character, which every encoding writes alike and Latin-1 writes fastest. */
const toAsciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Prepares the 402 of x402 v2: everything but the random redelivery token, which stock clients echo back. */
export function toChallenge(deps: ChallengeDeps, facts: ChallengeFacts): ChallengeTemplate {
  const { offer, price, reason, errors } = facts
  const required = {
    x402Version: 2,
    error: reason,
    resource: {
      url: deps.toResourceUrl(offer),
      description: offer.excerpt,
      mimeType: offer.mimeType,
      serviceName: deps.serviceName,
    },
    accepts: [toRequirements(deps.wallet, price, maxTimeoutSeconds(offer))],
    extensions: {
      'payment-identifier': { info: { required: false }, schema: identifierSchema },
      redelivery: {
        info: { token: tokenMark },
        schema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] },
      },
      ...deps.advertise(offer),
    },
  }
  const body = toAsciiJson({
    ...required,
    type: `${deps.baseUrl}/problems/payment-required`,
    title: problemKinds['payment-required'].title,
    status: 402,
    detail: toDetail(facts, deps.wording),
    price: {
      display: toDisplay(price),
      microUsd: price.toString(),
      ...(price === advertisedPrice(offer) && typeof offer.price !== 'bigint' && { rule: offer.price.rule }),
    },
    product: deps.sellerUrl + pagePath(offer),
    docs: `${deps.baseUrl}/agents`,
    charged: false,
    retryable: false,
    ...(errors && { errors: errors.slice(0, 20) }),
  })
  const [bodyHead = '', bodyTail = ''] = body.split(tokenMark)
  const [head = '', tail = ''] = toAsciiJson(required).split(tokenMark)
  // Base64 works on groups of three bytes: with the head padded to whole groups only the token changes.
  const padding = ' '.repeat((3 - (head.length % 3)) % 3)
  const header = Buffer.from(Buffer.from(head.replace('{', `{${padding}`) + tokenMark + tail).toString('base64'))
  const tokenAt = ((head.length + padding.length) / 3) * 4
  return {
    issue() {
      deps.quoted(offer.id)
      const { token, encoded } = newToken()
      // Written into its place rather than concatenated: Node would join the pieces to check the header, then again.
      header.write(encoded, tokenAt, 'latin1')
      return { header: header.toString('latin1'), body: bodyHead + token + bodyTail }
    },
  }
}
