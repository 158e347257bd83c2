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
 * One purchase for one authorization. The order is the shop's promise and must not change: look up, check, claim,
 * verify, make, keep, settle, record. Copies that arrive meanwhile in this process share the outcome.
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

  /** A row exists: never verify again, never work again. `again`: an abandoned claim was cleared away. */
  const resume = async (asked: PurchaseRequest, row: PaymentRow): Promise<Outcome | 'again'> => {
    const { payment } = asked
    const isOpen = row.state === 'working' || row.state === 'settling'
    const isSigned = isSignedAs(row, payment)
    if (row.state === 'failed' && !isSigned && (await mayTakePlace(asked, row))) return 'again'
    const isLost = fetchOwed.isLost(row)
    const isSame = isSigned && buysSame(row, asked)
    // Whatever an upgrade makes of its words, what goes on is what they said when they came first.
    const request = isSame ? { ...asked, fingerprint: row.fingerprint } : asked
    // It failed by what our node said then; a chain may come to say otherwise.
    if (row.state === 'failed' && (isSame || isLost)) {
      const told = await turnAway(request, row.reason ?? 'settlement_failed', true)
      // What it bought would be made again, and nothing is made of this.
      return told.is === 'unproven' && request.isRefused ? notTaken : told
    }
    // Its proof would fetch nothing, and be taken for a payment.
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
    // It waited unpaid, and what it was to be paid with is not taken any more.
    if (row.state === 'ready' && !rails.find(row.network)) return challenge('invalid_network')
    const isOthers = row.state === 'ready' && row.token_hash !== null && !hasToken
    if (isOthers) {
      // Whoever made this row shows its token; only what was paid meanwhile concerns anybody else.
      const seen = await askWitness(row)
      if (seen === 'unseen') return { is: 'pending' }
      if (seen !== 'paid') return challenge('payment_already_used')
    }
    // It waited unpaid, and the wallet may have bought the same by another signature meanwhile.
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
    // Whoever is blocked gets what may be paid and what the wallet owns, and is asked for no more.
    if (row.state !== 'settling' && isBlocked(request)) return refused(blocked())
    // Before anything is sent: what the chain shows by now, everybody can read there.
    if (row.state === 'ready' && isClosing)
      return refused(ending('nothing was charged, and what was made for you is kept'))
    // A purchase that waits unpaid may have been paid for meanwhile by somebody else who has its signature.
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

  /** A buyer signs again in place of what ran out, under the same nonce: only one of the two can ever move money. */
  const mayTakePlace = async (request: PurchaseRequest, row: PaymentRow): Promise<boolean> =>
    (await searchChain(request)).is === 'unused' && ledger.forgetRunOut(row.key)

  const unproven = async (row: PaymentRow): Promise<Outcome> => {
    await ledger.noteAsked(row.key)
    return { is: 'unproven' }
  }

  /** Whether the wallet holds enough for this beside what it asked for before; an RPC that is away hinders nobody. */
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

  /** The work that a payment without a row may be claimed for, or why it gets none. */
  const check = async (request: PurchaseRequest, required: Requirements): Promise<Work | Outcome | 'again'> => {
    const { offer, payment, make } = request
    const mismatch = findMismatch(payment, required, offer.workSeconds, now())
    if (mismatch) return request.isRefused ? notTaken : turnAway(request, mismatch)
    if (!(await wallets.couldBeSigned(payment))) return challenge('invalid_exact_evm_signature')
    if (!make && !request.isRefused) return refused(new Problem('not-available-yet', { charged: false }))
    const claim = toClaim(request, wallet)
    // Clients sign for as long as the terms ask; whoever signs for less is taken to have signed earlier.
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
    // Only what is new and would cost work: prices, and whatever the ledger knows, never come by here.
    if (deps.isOverloaded()) return refused(busy())
    return product ? async () => product : make
  }

  /** No row yet: checked, claimed, then fulfilled under the claim. `again`: another was quicker. */
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
      // There was no row, and whatever follows a settlement answers for itself: no money moved.
      if (cause instanceof LeaseLost) return { is: 'in-progress' }
      deps.report(cause)
      const detail = 'The ledger cannot be written just now; nothing was charged'
      return refused(new Problem('busy', { charged: false, retryAfterSeconds: 10, detail, cause }))
    } finally {
      leave()
    }
  }

  /** This authorization proved its wallet before; undefined when it was signed anew since, and may be a payment. */
  const answerProof = async (request: PurchaseRequest, proof: Proof): Promise<Outcome | 'again' | undefined> => {
    const isSame = proof.authorization === canonicalJson(request.payment.authorization)
    if (proof.isChanged && !isSame) return undefined
    const known = isSame && !request.isRefused ? await own(request, { mayBuy: false }) : undefined
    if (known === 'again' || (known && known.is !== 'unowned')) return known
    return proof.isChanged ? challenge('payment_already_used') : fetchOwed.proveAgain(request, proof)
  }

  /** Of several signatures of one wallet for one thing that lasts, the second finds what the first bought there. */
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
      // No price is told to whoever is blocked, and where one would be, nothing was paid.
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
     * A request whose input is refused, perhaps only since an upgrade: what it bought when it was sent before is fetched, and
     * what was made for it then is paid. Nothing is begun for it; undefined when there is nothing to go on with.
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
     * The program ends soon: what is not being settled by now would not be answered any more.
     *
     * @param lastWorkMs how long work may still go on, to be kept unpaid; whoever waits for more is told so
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
