import { canonicalJson } from '../../core/canonical-json.ts'
import { isLasting } from '../../offers/offer.ts'
import { blocked } from '../block-list.ts'
import { makeWalletCheck } from '../chain/wallet-check.ts'
import type { Proof } from '../ledger/owed-purchases.ts'
import { makeBegin } from './begin.ts'
import { buysSame } from './buys-same.ts'
import { makeFetchOwed } from './fetch-owed.ts'
import { makeForgiveness } from './forgiveness.ts'
import { makeFulfil } from './fulfil.ts'
import { makeInFlight } from './in-flight.ts'
import { refuseNamed } from './named-purchase.ts'
import { challenge, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import { makeOwn } from './own.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import { makePurchaseTurns } from './purchase-turns.ts'
import { isSignedAs, makeResume } from './resume.ts'
import { makeSettlePurchase } from './settle-purchase.ts'
import { makeTurnAway } from './turn-away.ts'
import { makeWalletProof } from './wallet-proof.ts'
import { makeWalletTurns } from './wallet-turns.ts'

/**
 * Makes the function that carries out purchases, one for each authorization. The order is the shop's promise and must
 * not change: look up, check, claim, verify, make, keep, settle, record. Copies of a request that arrive in this
 * process meanwhile share the outcome.
 */
export function makeBuy(deps: PurchaseDeps) {
  const { ledger, rails, now } = deps
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

  const findBlock = ({ caller, payment }: PurchaseRequest): Outcome | undefined =>
    deps.isBlocked({ caller, payer: payment.payer }) ? refused(blocked()) : undefined
  const steps = { ...deps, turnAway, withLease, own, fetchOwed, findBlock }
  const resume = makeResume({ ...steps, ...stopping, searchChain, resumeSettling })
  const begin = makeBegin({ ...steps, wallets, fulfil })

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
      const block = namesPrice ? findBlock(request) : undefined
      if (block) return block
      if (outcome !== 'again') return outcome
    }
    return { is: 'in-progress' }
  }

  const buy = (request: PurchaseRequest): Promise<Outcome> =>
    inFlight.run(request, (gone) =>
      inTurn({ ...request, gone }).catch((error: unknown): Outcome => {
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
