import type { MicroUsd } from '../core/money.ts'
import { isAtWork, makeOwner } from '../storage/lease-owner.ts'
import { hasEnded, type Signed, toEarliest, totalOf } from './exposure.ts'
import type { Outcome } from './outcome.ts'
import { bodySha256, type OpenRequest, type PendingPurchase, type PendingPurchases } from './pending-purchases.ts'
import type { Order } from './send-request.ts'
import type { Surroundings } from './send-signed.ts'
import { makeNonce, type Signer } from './sign-payment.ts'
import { chooseTerms, type Demand, type Terms } from './terms.ts'
import { showAmount } from './token.ts'

/** The limit that the user agreed to. */
export interface Budget {
  maxPrice: MicroUsd
  asset: string
}

/** What signing needs. */
export interface SigningBuyer extends Surroundings {
  purchases: PendingPurchases
  /** Called only when there is a price within the limit; resolves to undefined when there is no key. */
  findSigner(): Promise<Signer | undefined>
}

/** A signature to send now, and all signatures for its request. */
export interface Begun {
  is: 'begun'
  purchase: PendingPurchase
  signatures: PendingPurchase[]
  /** Whether an earlier run or another process signed it. */
  resumed: boolean
}

/** Why nothing was signed. */
export type Unsigned = Extract<Outcome, { is: 'unpayable' | 'too-dear' | 'no-key' }>

/** The longest validity of a signature; longer requests are shortened. */
const longestSeconds = 60 * 60
/** The user is told when our clock and that of the shop differ by more than this. */
const clockSkewMs = 60_000

/**
 * Signs one of the terms and records it, if its amount stays within the limit together with all signatures for this
 * request and the outstanding ones for other requests to this shop.
 *
 * @param open the signatures for this request so far
 * @param nonce the nonce of the payment that this one replaces; only one of the two can move money
 */
export async function signWithin(
  order: Order,
  { challenge, shopMs }: Demand,
  budget: Budget,
  buyer: SigningBuyer,
  { open, nonce: given }: { open: OpenRequest; nonce?: PendingPurchase['nonce'] | undefined },
): Promise<Begun | Unsigned> {
  const choice = chooseTerms(challenge, budget)
  if (choice.is === 'unpayable') return choice
  const { maxPrice } = budget
  const { terms, price } = choice
  const { asset } = terms
  if (choice.is === 'too-dear') return { is: 'too-dear', price, asset, maxPrice, outstanding: 0n, risk: [] }
  const signer = await buyer.findSigner()
  if (!signer) return { is: 'no-key', terms, price }

  const nonce = given ?? makeNonce()
  const { payer } = signer
  let validBefore = toValidBefore(terms, shopMs, buyer)
  // Two signatures within one second would be identical, and that one was declined.
  while (open.signatures.some((one) => one.nonce === nonce && one.validBefore === validBefore)) validBefore -= 1
  const signed = { payer, nonce, payTo: terms.payTo, asset, amountMicroUsd: terms.amount, validBefore }
  const outstanding = await findOutstanding(order, buyer, toEarliest(buyer.now(), shopMs))
  const total = totalOf([...open.signatures, ...outstanding, signed])
  if (total > maxPrice) return { is: 'too-dear', price, asset, maxPrice, outstanding: total - price, risk: [] }

  const header = await signer.sign(challenge, terms, { nonce, validBefore })
  const purchase = { ...signed, ...toFacts(order), header, createdAt: new Date(buyer.now()).toISOString() }
  if (await buyer.purchases.keep(order, purchase, open.next)) {
    buyer.say(
      `paying ${showAmount(price, asset)} to ${terms.payTo}; if this is interrupted, the same command resumes it`,
    )
    return { is: 'begun', purchase, signatures: [...open.signatures, purchase], resumed: false }
  }
  const now = await buyer.purchases.find(order)
  const theirs = now.signatures.at(-1)
  if (theirs) return { is: 'begun', purchase: theirs, signatures: now.signatures, resumed: true }
  return signWithin(order, { challenge, shopMs }, budget, buyer, { open: now })
}

const owner = makeOwner()

const toFacts = (order: Order) => ({
  url: order.url.href,
  method: order.method,
  bodySha256: bodySha256(order),
  owner,
})

/**
 * The outstanding signatures for other requests to this shop. Those that another process is working on have a limit of
 * their own.
 */
async function findOutstanding(order: Order, { purchases }: SigningBuyer, nowMs: number): Promise<Signed[]> {
  const elsewhere = await purchases.findElsewhere(order)
  return elsewhere.filter((purchase) => !hasEnded(purchase, nowMs) && !isAtWork(purchase.owner ?? ''))
}

function toValidBefore({ maxTimeoutSeconds }: Terms, shopMs: number | undefined, { now, say }: SigningBuyer): number {
  if (maxTimeoutSeconds > longestSeconds)
    say(
      `the shop wants a signature that is valid for ${maxTimeoutSeconds} s; it gets one that is valid for ${longestSeconds} s`,
    )
  const nowMs = now()
  const aheadMs = nowMs - (shopMs ?? nowMs)
  if (Math.abs(aheadMs) > clockSkewMs)
    say(
      `this clock is ${Math.round(Math.abs(aheadMs) / 60_000)} min ${aheadMs > 0 ? 'ahead of' : 'behind'} the shop's, so the signature uses the shop's time`,
    )
  const endMs = nowMs - aheadMs + Math.min(maxTimeoutSeconds, longestSeconds) * 1000
  // A shop cannot gain by lying about the time: the validity never exceeds the limit by our own clock.
  return Math.floor(Math.min(endMs, nowMs + longestSeconds * 1000) / 1000)
}
