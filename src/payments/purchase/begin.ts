import { Problem } from '../../core/problem.ts'
import { maxTimeoutSeconds } from '../../offers/offer.ts'
import type { makeWalletCheck } from '../chain/wallet-check.ts'
import { LeaseLost } from '../ledger/lease.ts'
import type { Requirements } from '../wire/payment.ts'
import { findMismatch, optionOf, toRequirements, unitsOf } from '../wire/requirements.ts'
import type { makeFetchOwed } from './fetch-owed.ts'
import type { makeFulfil } from './fulfil.ts'
import type { Work } from './make-product.ts'
import { challenge, notTaken, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { makeOwn } from './own.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { makeSettlePurchase } from './settle-purchase.ts'
import { toClaim } from './to-claim.ts'
import type { makeTurnAway } from './turn-away.ts'

interface Deps
  extends Pick<PurchaseDeps, 'ledger' | 'rails' | 'seal' | 'slots' | 'wallet' | 'now' | 'isOverloaded' | 'report'>,
    Pick<ReturnType<typeof makeTurnAway>, 'turnAway'>,
    Pick<ReturnType<typeof makeSettlePurchase>, 'withLease'>,
    Pick<ReturnType<typeof makeOwn>, 'own'> {
  readonly wallets: ReturnType<typeof makeWalletCheck>
  readonly fetchOwed: Pick<ReturnType<typeof makeFetchOwed>, 'prove'>
  readonly fulfil: ReturnType<typeof makeFulfil>
  /** The refusal of a request whose buyer the operator has blocked; undefined for others. */
  readonly findBlock: (request: PurchaseRequest) => Outcome | undefined
}

const busy = (): Problem => new Problem('busy', { charged: false, retryAfterSeconds: 3 })

/**
 * Makes the function that begins a purchase which has no row: check, claim, fulfil. It returns `again` when another
 * request took the claim.
 */
export function makeBegin(deps: Deps) {
  const { ledger, rails, seal, slots, wallet, now, wallets, own, fetchOwed, fulfil, turnAway, withLease, findBlock } =
    deps

  /** Whether the wallet holds enough for this and its earlier unpaid purchases; true when the RPC does not answer. */
  const canPayAll = async (
    { payment }: PurchaseRequest,
    { network, asset, amount }: Requirements,
  ): Promise<boolean> => {
    const open = await ledger.openAmount({ ...payment, network, asset })
    if (open === 0n) return true
    const { oracle } = rails.get(network)
    const balance = await oracle.balance(asset, payment.payer).catch(() => undefined)
    return balance === undefined || balance >= open + BigInt(amount)
  }

  /** Checks a payment without a row: returns the work that it may be claimed for, or the outcome that ends it here. */
  const check = async (request: PurchaseRequest, required: Requirements): Promise<Work | Outcome | 'again'> => {
    const { offer, payment, make } = request
    const mismatch = findMismatch(payment, required, offer.workSeconds, now())
    if (mismatch) return request.isRefused ? notTaken : turnAway(request, mismatch)
    if (!(await wallets.couldBeSigned(payment))) return challenge('invalid_exact_evm_signature')
    if (!make && !request.isRefused) return refused(new Problem('not-available-yet', { charged: false }))
    const claim = toClaim(request, wallet)
    // Clients sign for as long as the terms say; a shorter validity only makes the time of signing look earlier.
    const signedAt = (claim.valid_before - required.maxTimeoutSeconds) * 1000
    const owed = await ledger.findOwed(claim, signedAt, { mayBeLost: !request.isRefused })
    if (owed) return fetchOwed.prove(request, owed)
    if (!make || request.isRefused) return notTaken
    const known = await own(request)
    if (known === 'again' || known.is !== 'unowned') return known
    const block = findBlock(request)
    if (block) return block
    const { product } = known
    const restMs = rails.get(required.network).facilitator.restLeftMs()
    if (restMs > 0) {
      const retryAfterSeconds = Math.ceil(restMs / 1000)
      return refused(new Problem('facilitator-unavailable', { charged: false, retryAfterSeconds }))
    }
    // Only new purchases that cost work reach this line; quotes and purchases in the ledger do not.
    if (deps.isOverloaded()) return refused(busy())
    return product ? async () => product : make
  }

  return async (request: PurchaseRequest): Promise<Outcome | 'again'> => {
    const { offer, payment, price } = request
    const option = optionOf(wallet, payment)
    const to = { ...option, payTo: wallet.payTo }
    const required = toRequirements(to, unitsOf(option, price), maxTimeoutSeconds(offer))
    const work = await check(request, required)
    if (typeof work !== 'function') return work
    const leave = await slots.enter(offer.id, offer.concurrency, required.network)
    if (!leave) return refused(busy())
    try {
      const payload = seal.close(JSON.stringify(payment.payload))
      const lease = await ledger.claim({ ...toClaim(request, wallet), payload })
      if (!lease) return 'again'
      if (!(await canPayAll(request, required))) {
        await ledger.release(lease)
        return challenge('insufficient_funds')
      }
      return await withLease(lease, () => fulfil(request, required, lease, work))
    } catch (cause) {
      // No money moved: there was no row before, and errors during a settlement are handled where they happen.
      if (cause instanceof LeaseLost) return { is: 'in-progress' }
      deps.report(cause)
      const detail = 'The ledger cannot be written just now; nothing was charged'
      return refused(new Problem('busy', { charged: false, retryAfterSeconds: 10, detail, cause }))
    } finally {
      leave()
    }
  }
}
