import { createHash } from 'node:crypto'
import type { MicroUsd } from '../money.ts'
import { toDisplay } from '../money.ts'
import { askPrice } from './ask-price.ts'
import type { Delivered, Outcome } from './outcome.ts'
import { readProof } from './payment-proof.ts'
import { bodySha256, type PendingPurchase, type PendingPurchases } from './pending-purchases.ts'
import { printable } from './printable.ts'
import type { Order } from './send-request.ts'
import { type FinalAnswer, type Surroundings, sendSigned } from './send-signed.ts'
import type { SignPayment } from './sign-payment.ts'
import { type Challenge, chooseTerms } from './terms.ts'

/** What the buyer agreed to. */
export interface Consent {
  maxPrice: MicroUsd
  asset: string
  /** Expected hash of the product. */
  sha256: string | undefined
  timeoutSeconds: number
}

/** Bytes of a product and what its headers say about them. */
export interface Product {
  bytes: Uint8Array<ArrayBuffer>
  headers: Headers
  url: URL
}

/** Everything the procedure needs besides the order. */
export interface Buyer extends Surroundings {
  purchases: PendingPurchases
  /** Looked for only once there is a price within the limit; undefined when there is no key. */
  findSigner(): Promise<SignPayment | undefined>
  /** Puts the product where it belongs; throws when it cannot. */
  deliver(product: Product): Promise<Delivered['where']>
}

type Begun = { is: 'begun'; purchase: PendingPurchase; resumed: boolean }

/**
 * Buys what a request asks for, at most once.
 *
 *     quote ──► signed and noted ──► sent ◄─┐ 5xx, 409, no answer
 *                    ▲                │  └──┘
 *                    └── 402, once ───┼──► delivered and saved: the note goes
 *                                     └──► unresolved: the note stays, the next run starts at "sent"
 */
export async function payFor(order: Order, consent: Consent, buyer: Buyer): Promise<Outcome> {
  const pending = await buyer.purchases.find(order)
  let step: Begun | Outcome = pending ? resume(pending, consent, buyer) : await quoteAndSign(order, consent, buyer)
  for (let isRenewed = false; step.is === 'begun'; isRenewed = true) {
    const { purchase, resumed }: Begun = step
    const { timeoutSeconds } = consent
    const answer = await sendSigned(order, { ...purchase, timeoutSeconds, resumed }, buyer)
    if (answer.is === 'delivered') return finish(order, consent, buyer, { purchase, resumed, ...answer })
    if (answer.is !== 'not-charged') return giveUp(order, purchase, buyer, answer)
    await buyer.purchases.drop(order, purchase)
    const reason = printable(answer.reason)
    if (isRenewed || !answer.challenge || !isRenewable(purchase, answer.challenge, buyer.now()))
      return { is: 'payment-refused', reason, payer: purchase.payer }
    buyer.say(`the shop charged nothing and asks again (${reason}); signing once more`)
    step = await sign(order, answer.challenge, consent, buyer)
  }
  return step
}

function resume(purchase: PendingPurchase, { maxPrice }: Consent, { say }: Buyer): Begun | Outcome {
  const price = BigInt(purchase.amountMicroUsd)
  if (price > maxPrice) return { is: 'too-dear', price, maxPrice, pending: true }
  say(`sending the payment of ${toDisplay(price)} that was signed at ${purchase.createdAt}; nothing is signed anew`)
  return { is: 'begun', purchase, resumed: true }
}

async function quoteAndSign(order: Order, consent: Consent, buyer: Buyer): Promise<Begun | Outcome> {
  const quote = await askPrice(buyer.fetch, order)
  if (quote.is === 'quote') return sign(order, quote.challenge, consent, buyer)
  if (quote.is !== 'free') return quote
  const kept = await keep({ bytes: quote.body, headers: quote.headers, url: order.url }, consent, buyer)
  if (kept.is === 'kept') return { is: 'free', delivered: kept.delivered }
  return { is: 'not-kept', detail: kept.detail, paid: false, record: '' }
}

async function sign(order: Order, challenge: Challenge, consent: Consent, buyer: Buyer): Promise<Begun | Outcome> {
  const choice = chooseTerms(challenge, consent)
  if (choice.is === 'unpayable') return choice
  const { terms, price } = choice
  if (choice.is === 'too-dear') return { is: 'too-dear', price, maxPrice: consent.maxPrice, pending: false }
  const signer = await buyer.findSigner()
  if (!signer) return { is: 'no-key', terms, price }
  const { header, payer, validBefore } = await signer(challenge, terms)
  const purchase = {
    url: order.url.href,
    method: order.method,
    bodySha256: bodySha256(order),
    header,
    amountMicroUsd: terms.amount,
    asset: terms.asset,
    payTo: terms.payTo,
    payer,
    createdAt: new Date(buyer.now()).toISOString(),
    validBefore,
  }
  if (await buyer.purchases.keep(order, purchase)) {
    buyer.say(`paying ${toDisplay(price)} to ${terms.payTo}; if this is interrupted, the same command resumes it`)
    return { is: 'begun', purchase, resumed: false }
  }
  const theirs = await buyer.purchases.find(order)
  return theirs ? resume(theirs, consent, buyer) : sign(order, challenge, consent, buyer)
}

/** A refusal is worth a new signature only when time or terms have moved on since the old one. */
function isRenewable(purchase: PendingPurchase, challenge: Challenge, nowMs: number): boolean {
  if (purchase.validBefore * 1000 <= nowMs || /valid_before|expired/i.test(challenge.error ?? '')) return true
  const choice = chooseTerms(challenge, { asset: purchase.asset, maxPrice: BigInt(purchase.amountMicroUsd) })
  if (choice.is === 'unpayable') return false
  const { amount, payTo } = choice.terms
  return amount !== purchase.amountMicroUsd || payTo.toLowerCase() !== purchase.payTo.toLowerCase()
}

async function giveUp(
  order: Order,
  purchase: PendingPurchase,
  { purchases }: Buyer,
  answer: Exclude<FinalAnswer, { is: 'delivered' | 'not-charged' }>,
): Promise<Outcome> {
  const record = purchases.path(order)
  switch (answer.is) {
    case 'unresolved':
      return { is: answer.charged === false ? 'not-worked' : 'unresolved', detail: answer.why, record }
    case 'redirected':
      return {
        is: 'unresolved',
        detail: `it redirects to ${printable(answer.location)}, which is not followed`,
        record,
      }
    case 'refused': {
      const { status, problem } = answer
      const detail = `${status} ${problem.detail ?? ''}`.trim()
      if (answer.charged !== false) return { is: 'unresolved', detail, record }
      await purchases.drop(order, purchase)
      return { is: 'refused', status, problem }
    }
  }
}

interface Arrival {
  purchase: PendingPurchase
  resumed: boolean
  headers: Headers
  body: Uint8Array<ArrayBuffer>
  resends: number
}

async function finish(order: Order, consent: Consent, buyer: Buyer, arrival: Arrival): Promise<Outcome> {
  const { purchase, resumed, headers, body, resends } = arrival
  const kept = await keep({ bytes: body, headers, url: order.url }, consent, buyer)
  if (kept.is === 'failed')
    return { is: 'not-kept', detail: kept.detail, paid: true, record: buyer.purchases.path(order) }
  await buyer.purchases
    .drop(order, purchase)
    .catch(() => buyer.say(`${buyer.purchases.path(order)} could not be removed`))
  const receiptId = /^r_[A-Za-z0-9_-]{1,64}$/.exec(headers.get('x-receipt-id') ?? '')?.[0]
  return {
    is: 'bought',
    purchase,
    delivered: kept.delivered,
    proof: readProof(headers),
    receiptUrl: receiptId && `${order.url.origin}/receipts/${receiptId}`,
    resends,
    resumed,
  }
}

type Kept = { is: 'kept'; delivered: Delivered } | { is: 'failed'; detail: string }

async function keep(product: Product, { sha256: wanted }: Consent, { deliver }: Buyer): Promise<Kept> {
  const sha256 = createHash('sha256').update(product.bytes).digest('hex')
  if (wanted !== undefined && wanted !== sha256)
    return { is: 'failed', detail: `its sha256 is ${sha256}, not the expected ${wanted}` }
  try {
    const where = await deliver(product)
    const mimeType = printable(product.headers.get('content-type') ?? 'application/octet-stream')
    return { is: 'kept', delivered: { bytes: product.bytes.length, sha256, mimeType, where } }
  } catch (error) {
    return { is: 'failed', detail: printable(error instanceof Error ? error.message : 'it could not be written') }
  }
}
