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

/** Stands where the redelivery token goes: as long as 18 random bytes in base64url. */
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
  /** After "To buy it": how to ask and sign once more. */
  anew: string
}

export interface ChallengeDeps {
  /** Of the site, where documents and problem pages are. */
  baseUrl: string
  /** Of the product pages. */
  sellerUrl: string
  wording: Wording
  /** What is paid for, as the transport names it. */
  toResourceUrl: (offer: Offer) => string
  /** What the shop calls itself. */
  shopName: string
  wallet: Wallet
  /** Extensions that describe the product to directories, such as `bazaar`. */
  advertise: (offer: Offer) => Record<string, unknown>
  /** Lets owners sign in instead of paying, where the transport has a place for it. */
  signIn?: SignInOffer
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
  /** What the wallet that asks has of it already, in an earlier version. */
  owned?: OwnedVersion
}

/** A version that a wallet bought. */
export interface OwnedVersion {
  /** Null where the sale is so old that nobody noted it. */
  version: string | null
  receiptId?: string
  /** RFC 3339. */
  boughtAt?: string
}

/** Of whoever pays as the first version of x402 did. */
export const wrongVersion = 'invalid_x402_version'

/** Where a token is, when that is not Base. */
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

/** JSON with one byte per character, which every encoding writes alike and Latin-1 writes fastest. */
const toAsciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** What a wallet has, and what is sold now instead. */
const toOwnedInfo = (
  { version, receiptId, boughtAt }: OwnedVersion,
  { offer }: ChallengeFacts,
  { baseUrl }: ChallengeDeps,
) => ({
  version,
  ...(receiptId !== undefined && { receipt: `${baseUrl}/api/receipts/${receiptId}.json`, boughtAt }),
  latest: { version: offer.version, changes: offer.changes, publishedAt: offer.publishedAt },
})

/** Prepares the 402 of x402 v2: everything but the random redelivery token, which stock clients echo back. */
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
  const marks = [tokenMark, ...signInMarks]
  const [inHeader, inBody] = [spliceBase64(toAsciiJson(required), marks), spliceText(body, marks)]
  return {
    issue() {
      deps.quoted(offer.id)
      const values = { [tokenMark]: newToken(), ...(signIn && fillSignIn(signIn)) }
      return { header: inHeader.fill(values), body: inBody.fill(values) }
    },
  }
}
