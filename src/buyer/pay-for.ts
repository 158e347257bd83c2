import { createHash } from 'node:crypto'
import type { BoughtRecords } from './bought-records.ts'
import { excludes, toExposures, totalOf } from './exposure.ts'
import type { Delivered, Outcome } from './outcome.ts'
import { readProof } from './payment-proof.ts'
import type { OpenRequest } from './pending-purchases.ts'
import { printable } from './printable.ts'
import { readProblem, type ShopProblem } from './read-problem.ts'
import { readSignedAnswer, type SignedAnswer } from './read-signed-answer.ts'
import { type Order, sendRequest } from './send-request.ts'
import { type FinalAnswer, sendSigned } from './send-signed.ts'
import { refuse, signAgain } from './sign-again.ts'
import { type Begun, type Budget, type SigningBuyer, signWithin } from './sign-within.ts'
import { type Demand, readDemand } from './terms.ts'
import { showAmount } from './token.ts'

/** The response of a shop to a request without payment. */
type Quote =
  | { is: 'quote'; demand: Demand }
  | { is: 'free'; headers: Headers; body: Uint8Array<ArrayBuffer> }
  | { is: 'refused'; status: number; problem: ShopProblem }
  | { is: 'unpayable'; detail: string }
  | { is: 'redirected'; location: string }
  | { is: 'unreachable'; detail: string }

/** Sends the request without payment. A 402 that lists errors in the request counts as a refusal: nothing is signed. */
async function askPrice(fetcher: typeof fetch, order: Order): Promise<Quote> {
  const answer = await sendRequest(fetcher, order)
  if (answer.is === 'lost') return { is: 'unreachable', detail: answer.reason }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { is: 'free', headers, body }
  if (status >= 300 && status < 400)
    return { is: 'redirected', location: printable(headers.get('location') ?? 'nowhere') }
  const problem = readProblem(body)
  if (status !== 402 || problem.errors.length > 0) return { is: 'refused', status, problem }
  const demand = readDemand(headers, body)
  if (demand) return { is: 'quote', demand }
  return { is: 'unpayable', detail: 'its 402 has no terms of x402 version 2' }
}

/** What the user agreed to. */
export interface Consent extends Budget {
  /** The expected SHA-256 of the product. */
  sha256: string | undefined
  timeoutSeconds: number
}

/** The bytes of a product and the headers that describe them. */
export interface Product {
  bytes: Uint8Array<ArrayBuffer>
  headers: Headers
  url: URL
}

/** Everything that a purchase needs besides the order. */
export interface Buyer extends SigningBuyer {
  /** Saves or writes the product; throws when it cannot. */
  deliver(product: Product): Promise<Delivered['where']>
  /** The records of earlier purchases. */
  bought: BoughtRecords
}

/**
 * Buys what a request asks for. All signatures for a request have one nonce, so that they can cause at most one
 * payment, until that nonce is of no use any more; from then on both nonces count against the limit.
 *
 *     quote ──► signed and recorded ──► sent ◄─┐ 5xx, 409, no response
 *                       ▲                │  └──┘
 *                       └── 402, once ───┼──► delivered and saved: the records are removed
 *                                        └──► anything else: the records stay, the next run starts at "sent"
 *
 * A shop that took the payment and wants a proof of the wallet is handled like one that declines a used nonce.
 */
export async function payFor(order: Order, consent: Consent, buyer: Buyer): Promise<Outcome> {
  const open = await buyer.purchases.find(order)
  let step = resume(open, consent, buyer) ?? (await quoteAndSign(order, consent, buyer))
  for (let isRenewed = false; step.is === 'begun'; isRenewed = true) {
    const begun: Begun = step
    const answer = await sendSigned(order, { ...begun.purchase, timeoutSeconds: consent.timeoutSeconds }, buyer)
    if (answer.is === 'delivered') return finish(order, consent, buyer, { ...begun, ...answer })
    const heard = (await readProofWish(order, answer, buyer)) ?? answer
    if (heard.is !== 'declined') return giveUp(order, begun, buyer, describe(heard))
    if (isRenewed) return refuse(order, begun, buyer, heard.reason)
    step = await signAgain(order, begun, heard, consent, buyer)
  }
  return step
}

function resume({ signatures }: OpenRequest, { maxPrice }: Consent, { say }: Buyer): Begun | Outcome | undefined {
  const purchase = signatures.at(-1)
  if (!purchase) return undefined
  const price = BigInt(purchase.amountMicroUsd)
  const { asset } = purchase
  // A signature may have been recorded without being sent, so the limit is checked again.
  const total = totalOf(signatures)
  if (total > maxPrice)
    return { is: 'too-dear', price, asset, maxPrice, outstanding: total - price, risk: toExposures(signatures) }
  say(
    `sending the payment of ${showAmount(price, asset)} that was signed at ${purchase.createdAt}; nothing new is signed`,
  )
  return { is: 'begun', purchase, signatures, resumed: true }
}

async function quoteAndSign(order: Order, consent: Consent, buyer: Buyer): Promise<Begun | Outcome> {
  const quote = await askPrice(buyer.fetch, order)
  if (quote.is === 'quote') {
    const again = await fetchAgain(order, quote.demand, consent, buyer)
    if (again) return again
    return signWithin(order, quote.demand, consent, buyer, { open: { signatures: [], next: 1 } })
  }
  if (quote.is !== 'free') return quote
  const kept = await keep({ bytes: quote.body, headers: quote.headers, url: order.url }, consent, buyer)
  if (kept.is === 'kept') return { is: 'free', delivered: kept.delivered }
  return { is: 'not-kept', detail: kept.detail, risk: [], record: undefined }
}

/**
 * Fetches what an earlier run bought, where the shop says that owners get it again; calls of an API are new work each
 * time.
 */
async function fetchAgain(
  order: Order,
  { challenge }: Demand,
  consent: Consent,
  buyer: Buyer,
): Promise<Outcome | undefined> {
  const before = challenge.extensions?.['sign-in-with-x'] ? await buyer.bought.find(order) : undefined
  // The user wants another version than the one that was bought.
  const isOther = consent.sha256 !== undefined && consent.sha256 !== before?.sha256
  if (!before || isOther) return undefined
  const answer = readSignedAnswer(await sendRequest(buyer.fetch, order, before.header))
  if (answer.is !== 'delivered') return undefined
  const kept = await keep({ bytes: answer.body, headers: answer.headers, url: order.url }, consent, buyer)
  if (kept.is === 'failed') return { is: 'not-kept', detail: kept.detail, risk: [], record: undefined }
  const receiptUrl = toReceiptUrl(order, before.receiptId)
  return { is: 'again', before, delivered: kept.delivered, receiptUrl, record: buyer.bought.path(order) }
}

const toReceiptUrl = ({ url }: Order, id: string | undefined): string | undefined =>
  id && `${url.origin}/receipts/${id}`

/**
 * Handles a shop that lost its ledger: it finds the payment on the chain, where everybody can read it, and asks the
 * wallet to sign once more. The shop may be lying, so its response counts as a report of a used nonce, and both
 * signatures count against the limit.
 */
async function readProofWish(
  order: Order,
  answer: FinalAnswer,
  { fetch }: Buyer,
): Promise<Extract<SignedAnswer, { is: 'declined' }> | undefined> {
  if (answer.is !== 'refused' || answer.problem.kind !== 'wallet-proof-required') return undefined
  const quote = await askPrice(fetch, order)
  if (quote.is !== 'quote') return undefined
  return { is: 'declined', reason: `authorization_used: ${answer.problem.detail ?? ''}`, demand: quote.demand }
}

const giveUp = (order: Order, { signatures }: Begun, { purchases }: Buyer, detail: string): Outcome => ({
  is: 'unresolved',
  detail,
  risk: toExposures(signatures),
  record: purchases.path(order),
})

function describe(answer: Exclude<FinalAnswer, { is: 'delivered' | 'declined' }>): string {
  switch (answer.is) {
    case 'unresolved':
      return answer.why
    case 'redirected':
      return `it redirects to ${printable(answer.location)}, and payments do not follow redirects`
    case 'refused':
      return [`${answer.status} ${answer.problem.detail ?? ''}`.trim(), ...answer.problem.errors].join('; ')
  }
}

interface Arrival extends Omit<Begun, 'is'> {
  headers: Headers
  body: Uint8Array<ArrayBuffer>
  resends: number
}

async function finish(order: Order, consent: Consent, buyer: Buyer, arrival: Arrival): Promise<Outcome> {
  const { purchase, signatures, resumed, headers, body, resends } = arrival
  const kept = await keep({ bytes: body, headers, url: order.url }, consent, buyer)
  if (kept.is === 'failed')
    return {
      is: 'not-kept',
      detail: kept.detail,
      risk: toExposures(signatures),
      record: buyer.purchases.path(order),
    }
  const receiptId = /^r_[A-Za-z0-9_-]{1,64}$/.exec(headers.get('x-receipt-id') ?? '')?.[0]
  const isOwned = headers.get('x-charged') === 'false'
  const { header, amountMicroUsd, payer } = purchase
  const { sha256 } = kept.delivered
  const about = { url: order.url.href, method: order.method, header, amountMicroUsd, payer, sha256 }
  const record = { ...about, boughtAt: new Date(buyer.now()).toISOString(), ...(receiptId && { receiptId }) }
  // A signature that was not charged cannot fetch the product later, so it is not recorded.
  if (!isOwned) await buyer.bought.keep(order, record).catch(() => buyer.say('the purchase could not be noted'))
  await buyer.purchases
    .drop(order, signatures)
    .catch(() => buyer.say(`${buyer.purchases.path(order)} could not be removed`))
  return {
    is: 'bought',
    purchase,
    delivered: kept.delivered,
    proof: readProof(headers),
    receiptUrl: toReceiptUrl(order, receiptId),
    resends,
    resumed,
    isOwned,
    risk: toExposures(signatures.filter((signed) => !excludes(purchase, signed))),
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
