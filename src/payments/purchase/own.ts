import { network } from '../../core/chain-constants.ts'
import { Problem } from '../../core/problem.ts'
import { sha256 } from '../../core/sha256.ts'
import { isLasting } from '../../offers/offer.ts'
import type { Product } from '../../offers/product.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import { type Ending, ending } from './ending.ts'
import { makeProduct } from './make-product.ts'
import { notTaken, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import { toClaim } from './to-claim.ts'
import type { RefuseProof } from './wallet-proof.ts'

interface Deps extends PurchaseDeps, Ending {
  refuseProof: RefuseProof
}

/** A request for a product, without its payment. */
export type Asked = Pick<PurchaseRequest, 'offer' | 'fingerprint' | 'sent' | 'make' | 'gone'>

/**
 * The wallet does not own the product. `product`: if it was already made for the comparison, so that it is made once.
 */
export type Unowned = { is: 'unowned'; product?: Product }

/**
 * Owners never pay twice on one network. Purchases on another network do not count: they may have cost test money, or
 * belong to a contract wallet that has another owner here. A wallet that signs for a product whose very bytes it owns
 * gets them, and the authorization is kept as a proof, which is never settled. Where the product has changed since:
 * - a product with versions is not sold at the first signature: the response says which version is owned and what is
 *   new, and a signature after that buys the new version
 * - a product without versions (the bundle and the export change with every post) is sold as it is today, as its 402
 *   said
 */
export function makeOwn(deps: Deps) {
  const { ledger, refuseProof, wallet, slots } = deps

  const make = async ({ offer, make, gone }: Asked, paymentKey: string): Promise<Product | Outcome> => {
    if (!make) return refused(new Problem('not-available-yet', { charged: false }))
    const leave = await slots.enter(offer.id, offer.concurrency)
    if (!leave) return refused(new Problem('busy', { charged: false, retryAfterSeconds: 3 }))
    try {
      return await makeProduct(offer, make, paymentKey, AbortSignal.any([gone, deps.noMoreWork]))
    } catch (cause) {
      if (deps.noMoreWork.aborted) return refused(ending('nothing was charged'))
      if (cause instanceof Problem) return refused(cause)
      if (!gone.aborted) deps.report(cause)
      return refused(new Problem('work-failed', { charged: false, retryAfterSeconds: 5, cause }))
    } finally {
      leave()
    }
  }

  /**
   * What a wallet that signed in owns of a product on Base; the sign-in proves nothing on other networks. It owns the
   * very bytes; or an earlier version, of which it is told, so that a payment from now on buys the new one; or nothing.
   */
  const showOwned = async (request: Asked, wallet: string): Promise<Outcome | Unowned> => {
    const { offer, fingerprint, sent } = request
    const key = `sign-in|${wallet}|${fingerprint}`
    const { owned } = await ledger.findHolding({ network, payer: wallet, fingerprint, sent }, key)
    const [newest] = owned
    if (!newest) return unowned
    const product = await make(request, key)
    if ('is' in product) return product
    const digest = sha256(product.body)
    const same = owned.find((row) => row.digest === digest)
    if (same) return { is: 'bought', row: withBytes(same, product) }
    if (offer.version === undefined) return unowned
    await ledger.keepOwnerProof({ key, authorization: '' }, newest, digest)
    return { is: 'changed', owned: newest }
  }

  /**
   * Answers a payment if its wallet owns the product; otherwise `unowned`. `mayBuy`: whether the signature may buy a
   * new version, because it is not the one that was answered with the change before.
   */
  const own = async (request: PurchaseRequest, { mayBuy = true } = {}): Promise<Outcome | 'again' | Unowned> => {
    const { offer, payment } = request
    if (!isLasting(offer)) return unowned
    const claim = toClaim(request, wallet)
    const { owned, isSettling } = await ledger.findHolding(claim, payment.key)
    const [newest] = owned
    // Another payment for the product may be moving money: soon it is known whether this wallet owns the product.
    if (isSettling) return { is: 'in-progress' }
    if (!newest) return unowned
    // From refused input nothing can be made to compare with what is owned, and an owner must not pay twice.
    if (request.isRefused) return notTaken
    const refusal = await refuseProof(request)
    if (refusal) return refusal
    const product = await make(request, payment.key)
    if ('is' in product) return product
    const digest = sha256(product.body)
    const same = owned.find((row) => row.digest === digest)
    if (same) {
      await ledger.keepOwnerProof(claim, same, null)
      return { is: 'bought', row: withBytes(same, product) }
    }
    if (offer.version === undefined) return { is: 'unowned', product }
    if (mayBuy && (await ledger.wasTold(owned, claim, digest, request.arrivedAt))) return { is: 'unowned', product }
    await ledger.keepOwnerProof(claim, newest, digest)
    return { is: 'changed', owned: newest }
  }

  return { own, showOwned }
}

const unowned: Unowned = { is: 'unowned' }

/** The row of a purchase whose stored bytes may be gone, with the same bytes made again. */
const withBytes = (row: PaymentRow, { body }: Product): PaymentRow => ({ ...row, body, body_file: null })
