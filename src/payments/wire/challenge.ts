import { randomBytes } from 'node:crypto'
import { toUnits } from '../../core/assets.ts'
import { identifierRule, versionRule } from '../../core/buying-rules.ts'
import { type MicroUsd, toDisplay } from '../../core/money.ts'
import { base, getNetwork } from '../../core/networks.ts'
import type { InputError } from '../../core/problem.ts'
import { problemKinds } from '../../core/problem-kinds.ts'
import { toServiceName } from '../../core/service-name.ts'
import { advertisedPrice, isLasting, maxTimeoutSeconds, type Offer, pagePath } from '../../offers/offer.ts'
import { fillSignIn, type SignInOffer, signInMarks, toSignInExtension } from '../sign-in/sign-in-extension.ts'
import { toAccepts, type Wallet } from './requirements.ts'
import { spliceBase64, spliceText } from './spliced-text.ts'

/** The placeholder for the redelivery token: as long as 18 random bytes in base64url. */
const tokenMark = 'redelivery-token-is-here'
const tokensAtOnce = 512
const drawn = { tokens: '', used: tokensAtOnce }

/** A random token. Drawn in bulk because every 402 needs one. */
function newToken(): string {
  if (drawn.used === tokensAtOnce)
    Object.assign(drawn, { tokens: randomBytes(18 * tokensAtOnce).toString('base64url'), used: 0 })
  const at = drawn.used++
  return drawn.tokens.slice(24 * at, 24 * at + 24)
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

/** How buyers over one transport are told what to do. */
export interface Wording {
  /** Where to put the payment; follows "and". */
  pay: string
  /** What to do when the response is lost, in sentences. */
  rules: string
  /** How to repeat a request that may be paid, in a sentence. */
  resend: string
  /** How to prove the wallet that paid, in a sentence. */
  proof: string
  /** How to request and sign again; follows "To buy the new version,". */
  anew: string
}

export interface ChallengeDeps {
  /** Origin of the site, where receipts, documents and problem pages are. */
  baseUrl: string
  /** Origin of the product pages. */
  sellerUrl: string
  wording: Wording
  /** The URL of the paid resource, as the transport names it. */
  toResourceUrl: (offer: Offer) => string
  /** The name of the shop. */
  shopName: string
  wallet: Wallet
  /** Extensions that describe the product to directories, such as `bazaar`. */
  advertise: (offer: Offer) => Record<string, unknown>
  /** Lets owners sign in instead of paying; absent where the transport does not support it. */
  signIn?: SignInOffer
  /** Called for each 402 that is issued. */
  quoted: (offerId: string) => void
}

/** A 402 without the values that are fresh in each one: the redelivery token, and those of the sign-in extension. */
export interface ChallengeTemplate {
  /** @returns the `PAYMENT-REQUIRED` header and the JSON body (both ASCII), with the same fresh values in both */
  issue(): { header: string; body: string }
}

export interface ChallengeFacts {
  offer: Offer
  price: MicroUsd
  /** A reason code of x402, or one of ours. */
  reason: string
  /** Why the input of the request would be refused. */
  errors?: readonly InputError[]
  /** The earlier version that the wallet of the request owns. */
  owned?: OwnedVersion
}

/** A version that a wallet bought. */
export interface OwnedVersion {
  /** Null for sales so old that the version was not recorded. */
  version: string | null
  receiptId?: string
  /** RFC 3339. */
  boughtAt?: string
}

/** The reason code for a payment as in x402 version 1. */
export const wrongVersion = 'invalid_x402_version'

/** Names the network of a token; empty for Base. */
const toPlace = (network: string): string => (network === base.id ? '' : ` on ${getNetwork(network).name}`)

const toDetail = (facts: ChallengeFacts, { wording, wallet }: Pick<ChallengeDeps, 'wording' | 'wallet'>): string => {
  const { offer, price, reason } = facts
  const others = (wallet.also ?? []).map(
    ({ network, symbol, perUsd }) => ` or ${toUnits(price, perUsd)} atomic units of ${symbol}${toPlace(network)}`,
  )
  const pay = `Sign ${toDisplay(price)} in USDC${others.join('')} for "${offer.title}" and ${wording.pay}`
  if (facts.errors) return `${pay}; but first repair the request, this one would be refused (uncharged)`
  if (reason === 'payment_required') return `${pay}. ${wording.rules}`
  if (reason === wrongVersion) return `Nothing was charged. ${versionRule}. ${pay}`
  if (facts.owned) {
    const news = offer.changes === undefined ? '' : ` New in it: ${offer.changes}`
    const { version } = facts.owned
    const same = version === offer.version ? 'an earlier text of ' : ''
    const old = version === null ? 'an earlier version' : `${same}version ${version}`
    return `You own ${old} of "${offer.title}"; version ${offer.version ?? ''} is sold now.${news} Nothing was charged. To buy the new version, ${wording.anew}`
  }
  if (reason === 'payment_already_used')
    return 'This signature bought another request, or its redelivery needs the token of the original 402; sign anew for this one'
  if (reason === 'invalid_payload')
    return 'The payment cannot be read, and nothing was charged for this request. Send x402 version 2 (in a header as base64) with the accepted terms of the 402 as they are and an EIP-3009 authorization, whose numbers are decimal strings'
  return `The payment was not accepted (${reason}) and nothing was charged for this request; sign anew`
}

/** JSON in ASCII: its bytes are the same in all encodings, and Node.js writes Latin-1 fastest. */
const toAsciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The version that a wallet owns, and the one that is sold now. */
const toOwnedInfo = (
  { version, receiptId, boughtAt }: OwnedVersion,
  { offer }: ChallengeFacts,
  { baseUrl }: ChallengeDeps,
) => ({
  version,
  ...(receiptId !== undefined && { receipt: `${baseUrl}/api/receipts/${receiptId}.json`, boughtAt }),
  latest: { version: offer.version, changes: offer.changes, publishedAt: offer.publishedAt },
})

/** Prepares the 402 of x402 v2, except for the fresh values, such as the redelivery token, which stock clients echo. */
export function toChallenge(deps: ChallengeDeps, facts: ChallengeFacts): ChallengeTemplate {
  const { offer, price, reason, errors, owned } = facts
  const signIn = isLasting(offer) ? deps.signIn : undefined
  const required = {
    x402Version: 2,
    error: reason,
    resource: {
      url: deps.toResourceUrl(offer),
      description: offer.excerpt,
      mimeType: offer.mimeType,
      serviceName: toServiceName(deps.shopName),
    },
    accepts: toAccepts(deps.wallet, price, maxTimeoutSeconds(offer)),
    extensions: {
      'payment-identifier': { info: { required: false }, schema: identifierSchema },
      redelivery: {
        info: { token: tokenMark },
        schema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] },
      },
      ...(signIn && { 'sign-in-with-x': toSignInExtension(deps.toResourceUrl(offer)) }),
      ...(owned && { 'owned-version': { info: toOwnedInfo(owned, facts, deps), schema: { type: 'object' } } }),
      ...deps.advertise(offer),
    },
  }
  const body = toAsciiJson({
    ...required,
    type: `${deps.baseUrl}/problems/payment-required`,
    title: problemKinds['payment-required'].title,
    status: 402,
    detail: toDetail(facts, deps),
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
    ...(owned && { owned: toOwnedInfo(owned, facts, deps) }),
  })
  const marks = [tokenMark, ...(signIn ? signInMarks : [])]
  const [inHeader, inBody] = [spliceBase64(toAsciiJson(required), marks), spliceText(body, marks)]
  return {
    issue() {
      deps.quoted(offer.id)
      const values = signIn ? [newToken(), ...fillSignIn(signIn)] : [newToken()]
      return { header: inHeader.fill(values), body: inBody.fill(values) }
    },
  }
}
