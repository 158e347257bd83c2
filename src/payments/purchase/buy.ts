import { canonicalJson } from '../../core/canonical-json.ts'
import { Problem } from '../../core/problem.ts'
import { isLasting, maxTimeoutSeconds } from '../../offers/offer.ts'
import { blocked } from '../block-list.ts'
import type { Witness } from '../chain/chain-oracle.ts'
import { makeWalletCheck } from '../chain/wallet-check.ts'
import { LeaseLost } from '../ledger/lease.ts'
import type { Proof } from '../ledger/owed-purchases.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import { judgeClaim } from '../ledger/redelivery-proof.ts'
import { toExpected } from '../settlement/settle-payment.ts'
import type { Payment, Requirements } from '../wire/payment.ts'
import { findMismatch, optionOf, toRequirements, unitsOf } from '../wire/requirements.ts'
import { buysSame } from './buys-same.ts'
import { ending } from './ending.ts'
import { makeFetchOwed } from './fetch-owed.ts'
import { makeForgiveness } from './forgiveness.ts'
import { makeFulfil } from './fulfil.ts'
import { makeInFlight } from './in-flight.ts'
import type { Work } from './make-product.ts'
import { refuseNamed } from './named-purchase.ts'
import { challenge, notTaken, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import { makeOwn } from './own.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import { makePurchaseTurns } from './purchase-turns.ts'
import { makeSettlePurchase } from './settle-purchase.ts'
import { toClaim } from './to-claim.ts'
import { makeTurnAway } from './turn-away.ts'
import { makeWalletProof } from './wallet-proof.ts'
import { makeWalletTurns } from './wallet-turns.ts'

/**
 * Makes the function that carries out purchases, one for each authorization. The order is the shop's promise and must
 * not change: look up, check, claim, verify, make, keep, settle, record. Copies of a request that arrive in this
 * process meanwhile share the outcome.
 */
export function makeBuy(deps: PurchaseDeps) {
  const { ledger, rails, seal, slots, wallet, now } = deps
  const inFlight = makeInFlight()
  const wallets = makeWalletCheck((network) => rails.find(network)?.oracle)
  const { withLease, settle, resumeSettling } = makeSettlePurchase({ ...deps, publish: inFlight.publish })
  const { askChain, searchChain, turnAway, findSpent } = makeTurnAway(deps)
  let isClosing = false
  const noMoreWork = new AbortController()

  const forgiveness = makeForgiveness(now)
  const stopping = { isEnding: () => isClosing, noMoreWork: noMoreWork.signal }
  const fulfil = makeFulfil({ ...deps, ...stopping, inFlight, forgiveness, settle, askChain, turnAway })
  const refuseProof = makeWalletProof({ ...deps, wallets, searchChain, turnAway })
  const fetchOwed = makeFetchOwed({ ...deps, ...stopping, refuseProof, withLease })
  const { own, showOwned } = makeOwn({ ...deps, ...stopping, refuseProof })
  const turns = makeWalletTurns({ turns: makePurchaseTurns(deps), isShared: deps.takePlace !== undefined })

  const isBlocked = ({ caller, payment }: PurchaseRequest): boolean => deps.isBlocked({ caller, payer: payment.payer })

  /**
   * Continues a purchase that has a row, without verifying or making anything again. `again`: the row was removed, and
   * the request starts from the beginning.
   */
  const resume = async (asked: PurchaseRequest, row: PaymentRow): Promise<Outcome | 'again'> => {
    const { payment } = asked
    const isOpen = row.state === 'working' || row.state === 'settling'
    const isSigned = isSignedAs(row, payment)
    if (row.state === 'failed' && !isSigned && (await mayTakePlace(asked, row))) return 'again'
    const isLost = fetchOwed.isLost(row)
    const isSame = isSigned && buysSame(row, asked)
    // An upgrade may validate the same input to another fingerprint; the purchase goes on with the one it began with.
    const request = isSame ? { ...asked, fingerprint: row.fingerprint } : asked
    // The payment failed by what our node showed then; the chain may show something else by now.
    if (row.state === 'failed' && (isSame || isLost)) {
      const told = await turnAway(request, row.reason ?? 'settlement_failed', true)
      // The product would have to be made again, and nothing can be made from refused input.
      return told.is === 'unproven' && request.isRefused ? notTaken : told
    }
    // No proof is asked for: the lost purchase paid less than this costs, so the proof would be taken for a payment.
    if (isLost && BigInt(row.amount) < request.price) return { is: 'unmatched' }
    if (!isSame) return isOpen ? { is: 'in-progress' } : isLost ? unproven(row) : challenge('payment_already_used')
    if (row.state === 'settled')
      switch (judgeClaim(row, payment, now())) {
        case 'proven':
          return { is: 'bought', row }
        case 'unproven':
          return unproven(row)
        case 'over':
          return { is: 'over' }
      }

    const hasToken = row.token_hash !== null && payment.tokenHash === row.token_hash
    // The product waits unpaid, and its network is not accepted any more.
    if (row.state === 'ready' && !rails.find(row.network)) return challenge('invalid_network')
    const isOthers = row.state === 'ready' && row.token_hash !== null && !hasToken
    if (isOthers) {
      // The buyer of this row would show its token. Anybody else only learns whether it was paid meanwhile.
      const seen = await askWitness(row)
      if (seen === 'unseen') return { is: 'pending' }
      if (seen !== 'paid') return challenge('payment_already_used')
    }
    // The product waits unpaid; the wallet may have bought the same with another signature meanwhile.
    const named = row.state === 'ready' ? await ledger.findByIdentifier(payment.identifierHash) : undefined
    if (row.state === 'ready') {
      if (named && (await askWitness(row)) === 'unused') {
        const refusal = refuseNamed(request, named)
        if (refusal) return refusal
        await ledger.dropUnpaid(row)
        return 'again'
      }
      const known = await own(request)
      if (known === 'again') return known
      if (known.is === 'bought') await ledger.dropUnpaid(row)
      if (known.is !== 'unowned') return known
    }
    // A blocked buyer still gets what may be paid already and what the wallet owns, but nothing new is settled.
    if (row.state !== 'settling' && isBlocked(request)) return refused(blocked())
    // Before anything is sent: once on the chain, the signature is public, and the buyer may get no response any more.
    if (row.state === 'ready' && isClosing)
      return refused(ending('nothing was charged, and what was made for you is kept'))
    // Without the token, a signature that is on the chain by now proves nothing. Even that of an unpaid purchase may be
    // there, if somebody else who has it sent it.
    const isPublic =
      !hasToken &&
      (row.state === 'settling' || isOthers || (row.state === 'ready' && (await askWitness(row)) !== 'unused'))
    const lease = await ledger.take(row)
    if (!lease) return { is: 'in-progress' }
    if (row.state === 'working') {
      await ledger.release(lease)
      return 'again'
    }
    const outcome = await withLease(lease, () =>
      resumeSettling(request, row, lease, isPublic || named ? null : payment.identifierHash),
    )
    if (outcome === 'again') return outcome
    return outcome.is === 'bought' && isPublic ? unproven(outcome.row) : outcome
  }

  const askWitness = async (row: PaymentRow): Promise<Witness['is']> =>
    (await rails.get(row.network).oracle.witness(toExpected(row))).is

  /**
   * Whether a new authorization may replace an expired one under the same nonce; deletes the failed row if so. Only one
   * of the two can ever move money.
   */
  const mayTakePlace = async (request: PurchaseRequest, row: PaymentRow): Promise<boolean> =>
    (await searchChain(request)).is === 'unused' && ledger.forgetRunOut(row.key)

  const unproven = async (row: PaymentRow): Promise<Outcome> => {
    await ledger.noteAsked(row.key)
    return { is: 'unproven' }
  }

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
    if (isBlocked(request)) return refused(blocked())
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

  /** Begins a purchase that has no row: check, claim, fulfil. `again`: another request took the claim. */
  const begin = async (request: PurchaseRequest): Promise<Outcome | 'again'> => {
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

  /**
   * Answers an authorization that was recorded as a proof; undefined when the nonce was signed anew after the wallet
   * was told of a change, so that it may be a payment.
   */
  const answerProof = async (request: PurchaseRequest, proof: Proof): Promise<Outcome | 'again' | undefined> => {
    const isSame = proof.authorization === canonicalJson(request.payment.authorization)
    if (proof.isChanged && !isSame) return undefined
    const known = isSame && !request.isRefused ? await own(request, { mayBuy: false }) : undefined
    if (known === 'again' || (known && known.is !== 'unowned')) return known
    return proof.isChanged ? challenge('payment_already_used') : fetchOwed.proveAgain(request, proof)
  }

  /**
   * Runs purchases of a wallet for the same lasting product one after the other, so that the second finds the first.
   */
  const inTurn = async (request: PurchaseRequest): Promise<Outcome> => {
    const { offer, payment, fingerprint } = request
    if (!isLasting(offer)) return resumeOrBegin(request)
    const name = `${payment.accepted.network} ${payment.payer} ${fingerprint}`
    return turns.take(
      name,
      () => wallets.isSigned(payment),
      () => resumeOrBegin(request),
    )
  }

  const resumeOrBegin = async (request: PurchaseRequest): Promise<Outcome> => {
    const { key, identifierHash } = request.payment
    for (let attempt = 0; attempt < 3; attempt++) {
      const row = await ledger.find(key)
      const proof = row ? undefined : await ledger.findProof(key)
      const named = row || proof ? undefined : await ledger.findByIdentifier(identifierHash)
      const earlier = proof ? await answerProof(request, proof) : named && refuseNamed(request, named)
      const outcome = earlier ?? (row ? await resume(request, row) : await begin(request))
      // A blocked buyer is told no price; the outcomes that would name one mean that nothing was paid.
      const namesPrice =
        !request.isRefused && outcome !== 'again' && (outcome.is === 'challenge' || outcome.is === 'changed')
      if (namesPrice && isBlocked(request)) return refused(blocked())
      if (outcome !== 'again') return outcome
    }
    return { is: 'in-progress' }
  }

  const buy = (request: PurchaseRequest): Promise<Outcome> =>
    inFlight.run(request, () =>
      inTurn(request).catch((error: unknown): Outcome => {
        // The ledger could not be read: an earlier copy of this request may have been settled.
        deps.report(error)
        return { is: 'pending' }
      }),
    )

  return {
    buy,
    /**
     * Continues the purchase of a request whose input is refused, perhaps only since an upgrade: fetches what the same
     * request bought before, or settles what was made for it. Nothing new is begun; undefined when there is nothing to
     * continue.
     */
    async fetchSent(request: Omit<PurchaseRequest, 'fingerprint' | 'make'>): Promise<Outcome | undefined> {
      const asked = { ...request, fingerprint: request.sent, make: undefined, isRefused: true }
      const row = await ledger.find(request.payment.key)
      if (row && !(isSignedAs(row, request.payment) && buysSame(row, asked))) return undefined
      const outcome = await buy(asked)
      return outcome.is === 'challenge' ? undefined : outcome
    },
    findSpent,
    showOwned,
    underWay: inFlight.count,
    idle: inFlight.idle,
    /**
     * Begins no more settlements, because the program ends soon and could not answer them any more.
     *
     * @param lastWorkMs milliseconds for which products may still be made, to be kept unpaid; work that takes longer is
     *   aborted, and its buyers are told that the shop restarts
     */
    settleNoMore(lastWorkMs = 5000): void {
      isClosing = true
      setTimeout(() => noMoreWork.abort(), lastWorkMs).unref()
    },
  }
}

const isSignedAs = (row: PaymentRow, { authorization }: Payment): boolean =>
  row.authorization === canonicalJson(authorization)

const busy = (): Problem => new Problem('busy', { charged: false, retryAfterSeconds: 3 })
