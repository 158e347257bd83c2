import { maxTimeoutSeconds, type Offer } from '../../functions/offer.ts'
import type { MicroUsd } from '../money.ts'
import { Problem } from '../problem.ts'
import { canonicalJson } from './canonical-json.ts'
import type { PaymentRow } from './ledger.ts'
import { type Claim, type Lease, LeaseLost, leaseMs } from './ledger.ts'
import type { Payment } from './payment.ts'
import type { Product } from './product.ts'
import { mayRedeliver } from './redelivery-proof.ts'
import { recordWitness, type SettleDeps, settlePayment, toExpected } from './settle-payment.ts'
import { findMismatch, toRequirements, type Wallet } from './terms.ts'
import type { WorkSlots } from './work-slots.ts'

/** One request with a readable payment and valid input. */
export interface PurchaseRequest {
  offer: Offer
  price: MicroUsd
  /** The concrete path, for receipts and statistics. */
  path: string
  /** Hash of the offer and the validated input: what the payment buys. */
  fingerprint: string
  payment: Payment
  /** Makes the product; undefined while it is only declared. */
  make: ((signal: AbortSignal) => Promise<Product>) | undefined
  /** Aborted when the buyer's connection is gone. */
  gone: AbortSignal
}

/** How a purchase stands when the request must be answered. Every copy of the request gets the same. */
export type Outcome =
  | { is: 'delivered'; row: PaymentRow }
  /** 402: no money can have moved for this request. `settling` tells that settlement itself was refused. */
  | { is: 'challenge'; reason: string; settling: boolean }
  /** 409: another process, or another request, is at work with this signature. */
  | { is: 'in-progress' }
  /** 503: money may have moved. */
  | { is: 'pending' }
  /** Refused, not charged. */
  | { is: 'refused'; problem: Problem }

export interface PurchaseDeps extends SettleDeps {
  slots: WorkSlots
  wallet: Wallet
  /** Renews while work goes on; returns the function that stops it. */
  every: (ms: number, task: () => void) => () => void
  report: (error: unknown) => void
}

interface InFlight {
  fingerprint: string
  identity: string
  buyers: Set<AbortSignal>
  outcome: Promise<Outcome>
}

const challenge = (reason: string, settling = false): Outcome => ({ is: 'challenge', reason, settling })
const refused = (problem: Problem): Outcome => ({ is: 'refused', problem })
/** What must be equal for two payments to be the same payment; the signature has many encodings. */
const identityOf = ({ authorization, tokenHash, identifierHash }: Payment): string =>
  canonicalJson({ authorization, tokenHash, identifierHash })

/**
 * Sells one request for one authorization. The order is the shop's promise and must not change: look up, terms,
 * claim, verify, make, keep, settle, record. Copies that arrive meanwhile in this process share the outcome.
 */
export function makePurchase(deps: PurchaseDeps) {
  const { ledger, facilitator, oracle, slots, wallet, now } = deps
  const inFlight = new Map<string, InFlight>()

  const withLease = async (lease: Lease, work: () => Promise<Outcome>): Promise<Outcome> => {
    const stop = deps.every(leaseMs / 3, () => {
      ledger.renew(lease).catch(deps.report)
    })
    try {
      return await work()
    } finally {
      stop()
    }
  }

  /** From here on money may move: whatever breaks, the answer is that we do not know yet. */
  const settle = async (request: PurchaseRequest, row: PaymentRow, lease: Lease): Promise<Outcome> => {
    const terms = toRequirements(
      { payTo: row.pay_to, asset: row.asset },
      BigInt(row.amount),
      maxTimeoutSeconds(request.offer),
    )
    try {
      const settlement = await settlePayment(deps, row, lease, request.payment, terms)
      if (settlement.is === 'pending') return { is: 'pending' }
      if (settlement.is === 'failed') return challenge(settlement.reason, true)
      const settled = await ledger.find(row.key)
      return settled ? { is: 'delivered', row: settled } : { is: 'pending' }
    } catch (error) {
      deps.report(error)
      await ledger.letGo(lease).catch(deps.report)
      return { is: 'pending' }
    }
  }

  /** Where a later search on the chain starts; without it the search goes by time. */
  const findHead = (): Promise<number | null> =>
    oracle.head().catch((error: unknown) => {
      deps.report(error)
      return null
    })

  const isAbandoned = (key: string): boolean => {
    const buyers = inFlight.get(key)?.buyers
    return buyers !== undefined && [...buyers].every((buyer) => buyer.aborted)
  }

  const makeAndSettle = async (
    request: PurchaseRequest,
    lease: Lease,
    make: (signal: AbortSignal) => Promise<Product>,
  ): Promise<Outcome> => {
    const { offer, payment, price } = request
    const release = () => ledger.release(lease).catch(deps.report)
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
    } catch (cause) {
      await release()
      if (cause instanceof Problem) return refused(cause)
      deps.report(cause)
      return refused(new Problem('work-failed', { charged: false, retryAfterSeconds: 5, cause }))
    }
    try {
      if (isAbandoned(payment.key)) {
        await ledger.keepReady(lease, product, head)
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

  /** Takes a stored product through settlement, or finds out how its settlement went. */
  const goOn = async (request: PurchaseRequest, row: PaymentRow, lease: Lease): Promise<Outcome> => {
    try {
      if (row.state === 'ready') {
        await ledger.beginSettling(lease)
        return await settle(request, row, lease)
      }
      const witness = await oracle.witness(toExpected(row))
      if (witness.is === 'unused') return await settle(request, row, lease)
      const settlement = await recordWitness(ledger, lease, witness)
      if (settlement.is === 'failed') return challenge(settlement.reason, true)
      const settled = settlement.is === 'settled' ? await ledger.find(row.key) : undefined
      if (settled) return { is: 'delivered', row: settled }
    } catch (error) {
      if (error instanceof LeaseLost) return { is: 'in-progress' }
      deps.report(error)
    }
    await ledger.letGo(lease).catch(deps.report)
    return { is: 'pending' }
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
    const leave = slots.enter(offer.id, offer.concurrency)
    if (!leave) return refused(new Problem('busy', { charged: false, retryAfterSeconds: 3 }))
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

  const buy = async (request: PurchaseRequest): Promise<Outcome> => {
    const { payment, fingerprint, gone } = request
    const identity = identityOf(payment)
    const running = inFlight.get(payment.key)
    if (running) {
      if (running.fingerprint !== fingerprint || running.identity !== identity) return { is: 'in-progress' }
      running.buyers.add(gone)
      return running.outcome
    }
    const outcome = Promise.resolve()
      .then(() => procure(request))
      .catch((error: unknown): Outcome => {
        // The ledger could not be read: an earlier copy of this request may have been settled.
        deps.report(error)
        return { is: 'pending' }
      })
      .finally(() => inFlight.delete(payment.key))
    inFlight.set(payment.key, { fingerprint, identity, buyers: new Set([gone]), outcome })
    return outcome
  }

  return {
    buy,
    /** Resolves when no purchase is under way, whether or not its buyer still waits. */
    async idle(): Promise<void> {
      while (inFlight.size > 0) await Promise.all([...inFlight.values()].map(({ outcome }) => outcome))
    },
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
