import { canonicalJson } from '../../core/canonical-json.ts'
import { Problem } from '../../core/problem.ts'
import { lostFingerprint, type Proof } from '../ledger/owed-purchases.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import { buysSame } from './buys-same.ts'
import { type Ending, ending } from './ending.ts'
import { makeProduct } from './make-product.ts'
import { challenge, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { SettlePurchase } from './settle-purchase.ts'
import { toClaim } from './to-claim.ts'
import type { RefuseProof } from './wallet-proof.ts'

interface Deps extends PurchaseDeps, Ending, Pick<SettlePurchase, 'withLease'> {
  refuseProof: RefuseProof
}

/**
 * Hands out owed purchases to the wallets that paid for them. The proof is a fresh signature over an unused nonce,
 * which is never settled.
 */
export function makeFetchOwed(deps: Deps) {
  const { ledger, refuseProof, wallet, slots, withLease } = deps
  const isLost = ({ fingerprint }: PaymentRow): boolean => fingerprint === lostFingerprint

  /** Makes the product of a lost purchase again, which is already paid for. */
  const makeAgain = async (request: PurchaseRequest, row: PaymentRow): Promise<Outcome> => {
    const { offer, make } = request
    if (!make) return refused(new Problem('not-available-yet', { charged: true }))
    const leave = await slots.enter(offer.id, offer.concurrency)
    if (!leave) return refused(new Problem('busy', { charged: true, retryAfterSeconds: 3 }))
    try {
      const lease = await ledger.takeLost(row)
      if (!lease) return { is: 'in-progress' }
      return await withLease(lease, async () => {
        try {
          const product = await makeProduct(offer, make, row.key, AbortSignal.any([request.gone, deps.noMoreWork]))
          const {
            fingerprint,
            sent,
            offer_id,
            product: title,
            path,
            version,
            token_hash,
            identifier_hash,
          } = toClaim(request, wallet)
          const bought = { fingerprint, sent, offer_id, product: title, path, version, token_hash, identifier_hash }
          return { is: 'bought', row: await ledger.fillLost(lease, bought, product) }
        } catch (cause) {
          if (!request.gone.aborted) deps.report(cause)
          await ledger.letGoLost(lease)
          if (deps.noMoreWork.aborted)
            return refused(ending('you have paid for this, and it is made again then', { charged: true }))
          const detail =
            'You have paid for this, and it could not be made again just now; send the identical request again'
          return refused(new Problem('work-failed', { charged: true, retryAfterSeconds: 5, detail, cause }))
        }
      })
    } finally {
      leave()
    }
  }

  const handOut = (request: PurchaseRequest, row: PaymentRow): Promise<Outcome> | Outcome => {
    // The sale was reversed since, because the chain lost its transfer.
    if (row.state !== 'settled') return challenge('payment_already_used')
    if (isLost(row)) return makeAgain(request, row)
    const isStored = row.body !== null || row.body_file !== null
    return buysSame(row, request) && isStored ? { is: 'bought', row } : challenge('payment_already_used')
  }

  return {
    /** Whether a sale was written back from the chain and what it bought is not known. */
    isLost,

    /** Fetches a purchase that the wallet of this payment is owed. `again`: another request fetched it meanwhile. */
    async prove(request: PurchaseRequest, owed: PaymentRow): Promise<Outcome | 'again'> {
      const refusal = await refuseProof(request)
      if (refusal) {
        // The proof came in time, but the chain could not be asked: the window must not end because of that.
        const isUnanswered = refusal !== 'again' && (refusal.is === 'refused' || refusal.is === 'pending')
        if (isUnanswered) await ledger.stayAsked(owed.key)
        return refusal
      }
      if (!(await ledger.keepProof(toClaim(request, wallet), owed))) return 'again'
      return handOut(request, owed)
    },

    /** Answers the same proof again: the response may have been lost, and the proof must not be taken for a payment. */
    async proveAgain(request: PurchaseRequest, { authorization, row }: Proof): Promise<Outcome | 'again'> {
      if (authorization !== canonicalJson(request.payment.authorization)) return challenge('payment_already_used')
      return (await refuseProof(request)) ?? handOut(request, row)
    },
  }
}
