import * as z from 'zod/mini'
import { network, usdcAddress, usdcDomain } from '../core/chain-constants.ts'
import { readHttpDate } from '../core/http-date.ts'
import type { MicroUsd } from '../core/money.ts'
import { parseBase64Json, parseJson } from './parse-json.ts'
import { printable } from './printable.ts'

/** The longest `maxTimeoutSeconds` that terms may ask for to be accepted. */
const longestSeconds = 24 * 60 * 60

const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
/** The terms that this program can pay: an exact EIP-3009 transfer on Base that is settled after the work. */
const payableTerms = z.looseObject({
  scheme: z.literal('exact'),
  network: z.literal(network),
  amount: z.string().check(z.regex(/^(0|[1-9]\d{0,29})$/)),
  asset: address,
  payTo: address,
  maxTimeoutSeconds: z.int().check(z.minimum(1), z.maximum(longestSeconds)),
  extra: z.looseObject({
    name: z.string().check(z.minLength(1)),
    version: z.string().check(z.minLength(1)),
    assetTransferMethod: z.optional(z.literal('eip3009')),
    paymentFlow: z.optional(z.literal('authorization')),
  }),
})
const anyTerms = z.object({ scheme: z.string(), network: z.string() })
const challengeBody = z.looseObject({
  x402Version: z.literal(2),
  error: z.nullish(z.string()),
  resource: z.looseObject({ url: z.string() }),
  accepts: z.array(z.unknown()),
  extensions: z.nullish(z.record(z.string(), z.unknown())),
})

/** The content of a 402, unchanged, because a payment has to echo parts of it. */
export type Challenge = z.output<typeof challengeBody>
/** One of the terms that this program can pay. */
export type Terms = z.output<typeof payableTerms>

/** Reads a 402: the `PAYMENT-REQUIRED` header, else the body. */
export function readChallenge(headers: Headers, body: Uint8Array): Challenge | undefined {
  const fromHeader = challengeBody.safeParse(parseBase64Json(headers.get('payment-required') ?? ''))
  if (fromHeader.success) return fromHeader.data
  return challengeBody.safeParse(parseJson(body)).data
}

/** The terms to pay, or why none can be paid. */
export type Choice =
  | { is: 'payable'; terms: Terms; price: MicroUsd }
  | { is: 'too-dear'; terms: Terms; price: MicroUsd }
  | { is: 'unpayable'; detail: string }

/** What a shop asks for, and the time of its clock. */
export interface Demand {
  challenge: Challenge
  /** Milliseconds since 1970 by its `Date` header, which is not trusted. */
  shopMs: number | undefined
}

/** Reads a 402 with the clock of the shop. */
export function readDemand(headers: Headers, body: Uint8Array): Demand | undefined {
  const challenge = readChallenge(headers, body)
  return challenge && { challenge, shopMs: readHttpDate(headers.get('date') ?? '') }
}

/** Chooses the cheapest terms in the only token to pay with; amounts are compared as integers. */
export function chooseTerms(challenge: Challenge, limits: { asset: string; maxPrice: MicroUsd }): Choice {
  const payable = challenge.accepts.flatMap((terms) => payableTerms.safeParse(terms).data ?? []).filter(isMeaningful)
  const inAsset = payable.filter(({ asset }) => isSame(asset, limits.asset))
  const [first, ...others] = inAsset
  if (!first) return { is: 'unpayable', detail: whyNone(challenge, payable, limits.asset) }
  const terms = others.reduce((best, next) => (BigInt(next.amount) < BigInt(best.amount) ? next : best), first)
  const price = BigInt(terms.amount)
  return { is: price > limits.maxPrice ? 'too-dear' : 'payable', terms, price }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Whether a payment by these terms can work: one to the zero address or to the token would be lost, and a signature
 * with another EIP-712 name for USDC is invalid.
 */
function isMeaningful({ asset, payTo, extra }: Terms): boolean {
  if (BigInt(payTo) === 0n || isSame(payTo, asset)) return false
  return !isSame(asset, usdcAddress) || (extra.name === usdcDomain.name && extra.version === usdcDomain.version)
}

function whyNone({ accepts }: Challenge, payable: readonly Terms[], wanted: string): string {
  if (payable.length > 0)
    return `it asks for another token (${payable.map(({ asset }) => asset).join(', ')}) than ${wanted}; --asset ADDRESS allows one`
  const offered = accepts.flatMap((terms) => anyTerms.safeParse(terms).data ?? [])
  const list = offered.map((terms) => printable(`${terms.scheme} on ${terms.network}`)).slice(0, 5)
  return `it asks for ${list.join(', ') || 'nothing that can be read'}; this program pays with the scheme exact (EIP-3009) on ${network}`
}
