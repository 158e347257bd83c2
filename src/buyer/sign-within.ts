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

/** What the buyer agreed to pay. */
export interface Budget {
  maxPrice: MicroUsd
  asset: string
}

/** What signing needs of the buyer. */
export interface SigningBuyer extends Surroundings {
  purchases: PendingPurchases
  /** Looked for only once there is a price within the limit; undefined when there is no key. */
  findSigner(): Promise<Signer | undefined>
}

/** A signature to be sent now, and everything that was ever signed for its request. */
export interface Begun {
  is: 'begun'
  purchase: PendingPurchase
  signatures: PendingPurchase[]
  /** Signed by an earlier run, or by another process. */
  resumed: boolean
}

/** Why nothing was signed. */
export type Unsigned = Extract<Outcome, { is: 'unpayable' | 'too-dear' | 'no-key' }>

/** A signature that the shop asks to live longer than this ends earlier than it asks. */
const longestSeconds = 60 * 60
/** The buyer is told of a clock that is further from the shop's than this. */
const clockSkewMs = 60_000

/**
 * Signs one of the terms and notes it, if everything that was signed for this request, ever, and everything that
 * other requests to this shop have outstanding stays within the limit with it.
 *
 * @param open what was signed for this request so far
 * @param nonce of the payment that this one takes the place of; of the two only one can move money
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
  // Within one second the two would be the same, and the same was answered before.
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

/** What other requests to this shop may still cost. One that another process is at work on has a limit of its own. */
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
  // A shop that lies about the time gains nothing: it may ask for as long a signature by this clock anyway.
  return Math.floor(Math.min(endMs, nowMs + longestSeconds * 1000) / 1000)
}
