import { validateHeaderName, validateHeaderValue } from 'node:http'
import { maxTimeoutSeconds, type Offer } from '../../functions/offer.ts'
import { Problem } from '../problem.ts'
import { canonicalJson } from './canonical-json.ts'
import { makeInFlight } from './in-flight.ts'
import { type Claim, type Lease, LeaseLost, type PaymentRow } from './ledger.ts'
import { challenge, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { Product } from './product.ts'
import { mayRedeliver } from './redelivery-proof.ts'
import { makeTakePayment, type TakeDeps } from './take-payment.ts'
import { findMismatch, toRequirements, type Wallet } from './terms.ts'
import type { WorkSlots } from './work-slots.ts'

export interface PurchaseDeps extends TakeDeps {
  slots: WorkSlots
  wallet: Wallet
  /** Whether more comes in than can be done. */
  isOverloaded: () => boolean
}

/**
 * Sells one request for one authorization. The order is the shop's promise and must not change: look up, terms,
 * claim, verify, make, keep, settle, record. Copies that arrive meanwhile in this process share the outcome.
 */
export function makePurchase(deps: PurchaseDeps) {
  const { ledger, facilitator, oracle, slots, wallet, now } = deps
  const { withLease, settle, goOn } = makeTakePayment(deps)
  const inFlight = makeInFlight()
  let isClosing = false

  /** Where a later search on the chain starts; without it the search goes by time. */
  const findHead = (): Promise<number | null> =>
    oracle.head().catch((error: unknown) => {
      deps.report(error)
      return null
    })

  const makeAndSettle = async (
    request: PurchaseRequest,
    lease: Lease,
    make: (signal: AbortSignal) => Promise<Product>,
  ): Promise<Outcome> => {
    const { offer, payment, price } = request
    const release = () =>
      ledger.release(lease).catch((error: unknown) => {
        // Whoever holds the row now may have sold it: nothing may be said about the money.
        if (error instanceof LeaseLost) throw error
        deps.report(error)
      })
    const terms = toRequirements(wallet, price, maxTimeoutSeconds(offer))
    const [verdict, head] = await Promise.all([facilitator.verify(payment, terms), findHead()])
    if (verdict.is !== 'valid') {
      await release()
      if (verdict.is === 'invalid') return challenge(verdict.reason)
      deps.report(verdict.cause)
      return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds: 5 }))
    }
    let product: Product
    try {
      product = await withDeadline(make, AbortSignal.timeout(offer.workSeconds * 1000))
      assertDeliverable(product, offer)
    } catch (cause) {
      await release()
      if (cause instanceof Problem) return refused(cause)
      deps.report(cause)
      return refused(new Problem('work-failed', { charged: false, retryAfterSeconds: 5, cause }))
    }
    try {
      if (isClosing || inFlight.isAbandoned(payment.key)) {
        await ledger.keepReady(lease, product, head)
        if (isClosing) return refused(closing())
        return refused(new Problem('work-failed', { charged: false, detail: 'The connection was gone before payment' }))
      }
      await ledger.keepAndSettle(lease, product, head)
    } catch (cause) {
      if (cause instanceof LeaseLost) throw cause
      await release()
      deps.report(cause)
      const detail = 'The product could not be stored, so nothing was charged; send the identical request again'
      return refused(new Problem('busy', { charged: false, retryAfterSeconds: 10, detail, cause }))
    }
    const row = await ledger.find(payment.key)
    return row ? settle(request, row, lease) : { is: 'pending' }
  }

  /** A row exists: never verify again, never work again. `again`: an abandoned claim was cleared away. */
  const resume = async (request: PurchaseRequest, row: PaymentRow): Promise<Outcome | 'again'> => {
    const { payment } = request
    const isOpen = row.state === 'working' || row.state === 'settling'
    if (row.fingerprint !== request.fingerprint || row.authorization !== canonicalJson(payment.authorization))
      return isOpen ? { is: 'in-progress' } : challenge('payment_already_used')
    if (row.state === 'settled')
      return mayRedeliver(row, payment, now()) ? { is: 'delivered', row } : challenge('payment_already_used')
    if (row.state === 'failed') return challenge(row.reason ?? 'settlement_failed', true)

    const lease = await ledger.take(row)
    if (!lease) return { is: 'in-progress' }
    if (row.state === 'working') {
      await ledger.release(lease)
      return 'again'
    }
    return withLease(lease, () => goOn(request, row, lease))
  }

  const resumeByIdentifier = async (request: PurchaseRequest, hash: string): Promise<Outcome | undefined> => {
    const earlier = await ledger.findByIdentifier(hash)
    if (!earlier) return undefined
    if (earlier.fingerprint !== request.fingerprint) return challenge('payment_identifier_already_used')
    return earlier.state === 'settled' ? { is: 'delivered', row: earlier } : { is: 'in-progress' }
  }

  const start = async (request: PurchaseRequest): Promise<Outcome | 'again'> => {
    const { offer, payment, price, make } = request
    const terms = toRequirements(wallet, price, maxTimeoutSeconds(offer))
    const mismatch = findMismatch(payment, terms, offer.workSeconds, now())
    if (mismatch) return challenge(mismatch)
    if (!make) return refused(new Problem('not-available-yet', { charged: false }))
    const restMs = facilitator.restLeftMs()
    if (restMs > 0) {
      const retryAfterSeconds = Math.ceil(restMs / 1000)
      return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds }))
    }
    // Only what is new and would cost work: prices, and whatever the ledger knows, never come by here.
    if (deps.isOverloaded()) return refused(busy())
    const leave = slots.enter(offer.id, offer.concurrency)
    if (!leave) return refused(busy())
    try {
      const lease = await ledger.claim(toClaim(request, terms.payTo, terms.asset))
      return lease ? await withLease(lease, () => makeAndSettle(request, lease, make)) : 'again'
    } catch (cause) {
      // There was no row, and whatever follows a settlement answers for itself: no money moved.
      if (cause instanceof LeaseLost) return { is: 'in-progress' }
      deps.report(cause)
      const detail = 'The ledger cannot be written just now; nothing was charged'
      return refused(new Problem('busy', { charged: false, retryAfterSeconds: 10, detail, cause }))
    } finally {
      leave()
    }
  }

  const procure = async (request: PurchaseRequest): Promise<Outcome> => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const row = await ledger.find(request.payment.key)
      const hash = request.payment.identifierHash
      const earlier = !row && hash ? await resumeByIdentifier(request, hash) : undefined
      const outcome = earlier ?? (row ? await resume(request, row) : await start(request))
      if (outcome !== 'again') return outcome
    }
    return { is: 'in-progress' }
  }

  return {
    buy: (request: PurchaseRequest): Promise<Outcome> =>
      inFlight.run(request, () =>
        procure(request).catch((error: unknown): Outcome => {
          // The ledger could not be read: an earlier copy of this request may have been settled.
          deps.report(error)
          return { is: 'pending' }
        }),
      ),
    idle: inFlight.idle,
    /** The program ends soon: what is not being settled by now would not be answered any more. */
    settleNoMore(): void {
      isClosing = true
    },
  }
}

const closing = (): Problem => {
  const detail = 'The shop is about to restart; nothing was charged, and what was made for you is kept'
  return new Problem('busy', { charged: false, retryAfterSeconds: 15, detail })
}

const busy = (): Problem => new Problem('busy', { charged: false, retryAfterSeconds: 3 })

/**
 * The last look before money moves: nothing, something else than was offered, or what cannot be sent is no product,
 * whoever made it.
 *
 * @throws Error that says what is wrong
 */
function assertDeliverable({ body, mimeType, headers = {} }: Product, offer: Pick<Offer, 'mimeType'>): void {
  if (body.length === 0) throw new Error('the work made an empty product')
  const [type = ''] = mimeType.split(';', 1)
  if (type.trim() !== offer.mimeType) throw new Error(`the work made ${type} instead of ${offer.mimeType}`)
  for (const [name, value] of Object.entries({ ...headers, 'content-type': mimeType })) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
}

/** Work that does not listen to its signal must not keep a buyer waiting: its late result is dropped, uncharged. */
function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work(signal).then(resolve, reject)
  })
}

function toClaim({ offer, path, fingerprint, payment, price }: PurchaseRequest, payTo: string, asset: string): Claim {
  const { authorization } = payment
  const validBefore = BigInt(authorization.validBefore)
  const newest = BigInt(Number.MAX_SAFE_INTEGER)
  return {
    key: payment.key,
    offer_id: offer.id,
    product: offer.title,
    path,
    fingerprint,
    authorization: canonicalJson(authorization),
    payer: payment.payer,
    pay_to: payTo,
    asset,
    network: payment.accepted.network,
    nonce: authorization.nonce,
    amount: price.toString(),
    valid_before: Number(validBefore < newest ? validBefore : newest),
    token_hash: payment.tokenHash,
    identifier_hash: payment.identifierHash,
  }
}
