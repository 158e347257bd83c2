import { maxTimeoutSeconds } from '../../functions/offer.ts'
import { network } from '../chain-constants.ts'
import { Problem } from '../problem.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Witness } from './chain-oracle.ts'
import { makeForgiveness } from './forgiveness.ts'
import { makeInFlight } from './in-flight.ts'
import { LeaseLost } from './lease.ts'
import { makeMakeAndSettle } from './make-and-settle.ts'
import { makeFetchOwed } from './make-fetch-owed.ts'
import { challenge, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { PaymentRow } from './payment-row.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import { judgeClaim } from './redelivery-proof.ts'
import { makeTakePayment } from './take-payment.ts'
import { findMismatch, toRequirements } from './terms.ts'
import { toClaim } from './to-claim.ts'
import { makeWalletCheck } from './wallet-check.ts'

/** The chain is searched this far back for a payment that the ledger does not know. */
const searchedSeconds = 7 * 24 * 60 * 60
/** Counted against an address for a search that finds nothing: so many of the payments it may fail. */
const vainLookCost = 5

/**
 * Sells one request for one authorization. The order is the shop's promise and must not change: look up, terms,
 * claim, verify, make, keep, settle, record. Copies that arrive meanwhile in this process share the outcome.
 */
export function makePurchase(deps: PurchaseDeps) {
  const { ledger, facilitator, oracle, seal, slots, wallet, now } = deps
  const inFlight = makeInFlight()
  const wallets = makeWalletCheck(oracle)
  const { withLease, settle, goOn } = makeTakePayment({ ...deps, publish: inFlight.publish })
  let isClosing = false

  const look = async ({ payment: { payer, authorization }, caller }: PurchaseRequest): Promise<Witness> => {
    const witness = await oracle.witness({
      asset: wallet.asset,
      payTo: wallet.payTo,
      payer,
      amount: BigInt(authorization.value),
      nonce: authorization.nonce,
      validBefore: BigInt(authorization.validBefore),
      fromBlock: null,
      sinceSeconds: Math.floor(now() / 1000) - searchedSeconds,
    })
    // A nonce that was used long ago is looked for in all the blocks since, and found in none.
    if (witness.is === 'unseen' && caller !== undefined) deps.countAgainst(caller, vainLookCost)
    return witness
  }

  /**
   * Before a payment is turned away: one that was used already and paid us is never told that nothing was charged. The
   * ledger may have lost it, because it was restored from a backup.
   */
  const turnAway = async (request: PurchaseRequest, reason: string, wasSettling = false): Promise<Outcome> => {
    const { authorization, accepted } = request.payment
    const isForUs =
      authorization.to === wallet.payTo.toLowerCase() &&
      accepted.asset.toLowerCase() === wallet.asset.toLowerCase() &&
      accepted.network === network
    if (!isForUs) return challenge(reason, wasSettling)
    const witness = await look(request)
    switch (witness.is) {
      case 'paid':
        // Whoever may choose the amount must not choose a product for it.
        if (BigInt(authorization.value) < request.price) return { is: 'unmatched' }
        await ledger.recover(toClaim({ ...request, price: BigInt(authorization.value) }, wallet), witness)
        return { is: 'unproven' }
      case 'unseen':
        deps.report(witness.cause)
        return { is: 'pending' }
      case 'unused':
        // The facilitator's node knows of a use that ours has not seen yet: whom it paid is open.
        return /nonce/.test(reason) ? { is: 'pending' } : challenge(reason, wasSettling)
      case 'void':
      case 'expired':
        return challenge(reason, wasSettling)
    }
  }

  const forgiveness = makeForgiveness(now)
  const isEnding = () => isClosing
  const makeAndSettle = makeMakeAndSettle({ ...deps, inFlight, forgiveness, isEnding, settle, turnAway, withLease })
  const fetchOwed = makeFetchOwed({ ...deps, wallets, look, turnAway, withLease })

  /** A row exists: never verify again, never work again. `again`: an abandoned claim was cleared away. */
  const resume = async (request: PurchaseRequest, row: PaymentRow): Promise<Outcome | 'again'> => {
    const { payment } = request
    const isOpen = row.state === 'working' || row.state === 'settling'
    const isSigned = row.authorization === canonicalJson(payment.authorization)
    if (row.state === 'failed' && !isSigned && (await mayTakePlace(request, row))) return 'again'
    if (row.fingerprint !== request.fingerprint || !isSigned)
      return isOpen ? { is: 'in-progress' } : fetchOwed.isLost(row) ? unproven(row) : challenge('payment_already_used')
    if (row.state === 'settled')
      switch (judgeClaim(row, payment, now())) {
        case 'proven':
          return { is: 'delivered', row }
        case 'unproven':
          return unproven(row)
        case 'over':
          return { is: 'over' }
      }
    // It failed by what our node said then; a chain may come to say otherwise.
    if (row.state === 'failed') return turnAway(request, row.reason ?? 'settlement_failed', true)

    const hasToken = row.token_hash !== null && payment.tokenHash === row.token_hash
    // Nothing was paid yet, and whoever made this row shows its token.
    if (row.state === 'ready' && row.token_hash !== null && !hasToken) return challenge('payment_already_used')
    const lease = await ledger.take(row)
    if (!lease) return { is: 'in-progress' }
    if (row.state === 'working') {
      await ledger.release(lease)
      return 'again'
    }
    const outcome = await withLease(lease, () => goOn(request, row, lease))
    // Its signature may be on the chain since an earlier attempt, where everybody can read it.
    return outcome.is === 'delivered' && row.state === 'settling' && !hasToken ? unproven(outcome.row) : outcome
  }

  /** A buyer signs again in place of what ran out, under the same nonce: only one of the two can ever move money. */
  const mayTakePlace = async (request: PurchaseRequest, row: PaymentRow): Promise<boolean> =>
    (await look(request)).is === 'unused' && ledger.forgetRunOut(row.key)

  const unproven = async (row: PaymentRow): Promise<Outcome> => {
    await ledger.noteAsked(row.key)
    return { is: 'unproven' }
  }

  /** Another authorization, under a name that an earlier purchase has; undefined when that can be fetched by proof. */
  const refuseIdentifier = async (request: PurchaseRequest, hash: string): Promise<Outcome | undefined> => {
    const earlier = await ledger.findByIdentifier(hash)
    if (!earlier) return undefined
    if (earlier.fingerprint !== request.fingerprint) return challenge('payment_identifier_already_used')
    return earlier.state === 'settled' ? undefined : { is: 'in-progress' }
  }

  /** Whether the wallet holds enough for this beside what it asked for before; an RPC that is away hinders nobody. */
  const canPayAll = async ({ payment, price }: PurchaseRequest): Promise<boolean> => {
    const open = await ledger.openAmount(payment)
    if (open === 0n) return true
    const balance = await oracle.balance(wallet.asset, payment.payer).catch(() => undefined)
    return balance === undefined || balance >= open + price
  }

  const start = async (request: PurchaseRequest): Promise<Outcome | 'again'> => {
    const { offer, payment, price, make } = request
    const terms = toRequirements(wallet, price, maxTimeoutSeconds(offer))
    const mismatch = findMismatch(payment, terms, offer.workSeconds, now())
    if (mismatch) return turnAway(request, mismatch)
    if (!(await wallets.couldBeSigned(payment))) return challenge('invalid_exact_evm_signature')
    if (!make) return refused(new Problem('not-available-yet', { charged: false }))
    const claim = toClaim(request, wallet)
    const owed = await ledger.findOwed(claim)
    if (owed) return fetchOwed.prove(request, owed)
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
      const lease = await ledger.claim({ ...claim, payload: seal.close(JSON.stringify(payment.payload)) })
      if (!lease) return 'again'
      if (!(await canPayAll(request))) {
        await ledger.release(lease)
        return challenge('insufficient_funds')
      }
      return await withLease(lease, () => makeAndSettle(request, lease, make))
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
    const { key, identifierHash: hash } = request.payment
    for (let attempt = 0; attempt < 3; attempt++) {
      const row = await ledger.find(key)
      const proof = row ? undefined : await ledger.findProof(key)
      const earlier = proof
        ? await fetchOwed.proveAgain(request, proof)
        : !row && hash
          ? await refuseIdentifier(request, hash)
          : undefined
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

const busy = (): Problem => new Problem('busy', { charged: false, retryAfterSeconds: 3 })
