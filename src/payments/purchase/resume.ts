import { canonicalJson } from '../../core/canonical-json.ts'
import type { Witness } from '../chain/witness.ts'
import type { PaymentRow } from '../ledger/payment-row.ts'
import { judgeClaim } from '../ledger/redelivery-proof.ts'
import { toExpected } from '../settlement/settle-payment.ts'
import type { Payment } from '../wire/payment.ts'
import { buysSame } from './buys-same.ts'
import { ending } from './ending.ts'
import type { makeFetchOwed } from './fetch-owed.ts'
import { refuseNamed } from './named-purchase.ts'
import { challenge, notTaken, type Outcome, type PurchaseRequest, refused } from './outcome.ts'
import type { makeOwn } from './own.ts'
import type { PurchaseDeps } from './purchase-deps.ts'
import type { makeSettlePurchase } from './settle-purchase.ts'
import type { makeTurnAway } from './turn-away.ts'

interface Deps
  extends Pick<PurchaseDeps, 'ledger' | 'rails' | 'now'>,
    Pick<ReturnType<typeof makeTurnAway>, 'searchChain' | 'turnAway'>,
    Pick<ReturnType<typeof makeSettlePurchase>, 'withLease' | 'resumeSettling'>,
    Pick<ReturnType<typeof makeOwn>, 'own'> {
  /** The refusal of a request whose buyer the operator has blocked; undefined for others. */
  readonly findBlock: (request: PurchaseRequest) => Outcome | undefined
  readonly isEnding: () => boolean
  readonly fetchOwed: Pick<ReturnType<typeof makeFetchOwed>, 'isLost'>
}

/** An unpaid product that may be settled now. */
interface Payable {
  readonly is: 'payable'
  /** Whether the row has a token that the request does not show. */
  readonly isOthers: boolean
  /** Whether another purchase has the identifier of the request. */
  readonly isNamed: boolean
}

/** Whether a row belongs to exactly the authorization of a payment, and not to another one with the same nonce. */
export const isSignedAs = (row: PaymentRow, { authorization }: Payment): boolean =>
  row.authorization === canonicalJson(authorization)

const hasToken = (row: PaymentRow, { tokenHash }: Payment): boolean =>
  row.token_hash !== null && tokenHash === row.token_hash

/**
 * Makes the function that continues a purchase which has a row, without verifying or making anything again. It returns
 * `again` when it removed the row, and the request starts from the beginning.
 */
export function makeResume(deps: Deps) {
  const { ledger, rails, now, searchChain, turnAway, withLease, resumeSettling, own, fetchOwed, findBlock, isEnding } =
    deps

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

  /** Answers for a failed payment: it failed by what our node showed then, and the chain may show something else by now. */
  const answerFailed = async (request: PurchaseRequest, row: PaymentRow): Promise<Outcome> => {
    const told = await turnAway(request, row.reason ?? 'settlement_failed', true)
    // The product would have to be made again, and nothing can be made from refused input.
    return told.is === 'unproven' && request.isRefused ? notTaken : told
  }

  const answerSettled = async (row: PaymentRow, payment: Payment): Promise<Outcome> => {
    switch (judgeClaim(row, payment, now())) {
      case 'proven':
        return { is: 'bought', row }
      case 'unproven':
        return unproven(row)
      case 'over':
        return { is: 'over' }
    }
  }

  /** Whether the product of a row, which waits unpaid, may be settled for this request. */
  const checkReady = async (request: PurchaseRequest, row: PaymentRow): Promise<Payable | Outcome | 'again'> => {
    const { payment } = request
    // The network is not accepted any more.
    if (!rails.find(row.network)) return challenge('invalid_network')
    const isOthers = row.token_hash !== null && !hasToken(row, payment)
    if (isOthers) {
      // The buyer of this row would show its token. Anybody else only learns whether it was paid meanwhile.
      const seen = await askWitness(row)
      if (seen === 'unseen') return { is: 'pending' }
      if (seen !== 'paid') return challenge('payment_already_used')
    }
    // The wallet may have bought the same with another signature meanwhile.
    const named = await ledger.findByIdentifier(payment.identifierHash)
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
    return { is: 'payable', isOthers, isNamed: named !== undefined }
  }

  /** Whether everybody may have the signature of a row by now, so that without its token it proves nothing. */
  const isPublic = async (row: PaymentRow, payment: Payment, isOthers: boolean): Promise<boolean> => {
    if (hasToken(row, payment)) return false
    if (row.state === 'settling' || isOthers) return true
    // Even the signature of an unpaid purchase may be on the chain, if somebody else who has it sent it.
    return row.state === 'ready' && (await askWitness(row)) !== 'unused'
  }

  /** Continues the purchase of a row in `working`, `ready` or `settling` for the request that began it. */
  const goOn = async (request: PurchaseRequest, row: PaymentRow): Promise<Outcome | 'again'> => {
    const { payment } = request
    const held = row.state === 'ready' ? await checkReady(request, row) : undefined
    if (held === 'again' || (held && held.is !== 'payable')) return held
    // A blocked buyer still gets what may be paid already and what the wallet owns, but nothing new is settled.
    const block = row.state === 'settling' ? undefined : findBlock(request)
    if (block) return block
    // Before anything is sent: once on the chain, the signature is public, and the buyer may get no response any more.
    if (row.state === 'ready' && isEnding())
      return refused(ending('nothing was charged, and what was made for you is kept'))
    const provesNothing = await isPublic(row, payment, held?.isOthers ?? false)
    const lease = await ledger.take(row)
    if (!lease) return { is: 'in-progress' }
    if (row.state === 'working') {
      await ledger.release(lease)
      return 'again'
    }
    const identifierHash = provesNothing || held?.isNamed ? null : payment.identifierHash
    const outcome = await withLease(lease, () => resumeSettling(request, row, lease, identifierHash))
    if (outcome === 'again') return outcome
    return outcome.is === 'bought' && provesNothing ? unproven(outcome.row) : outcome
  }

  return async (asked: PurchaseRequest, row: PaymentRow): Promise<Outcome | 'again'> => {
    const isSigned = isSignedAs(row, asked.payment)
    if (row.state === 'failed' && !isSigned && (await mayTakePlace(asked, row))) return 'again'
    const isLost = fetchOwed.isLost(row)
    const isSame = isSigned && buysSame(row, asked)
    // An upgrade may validate the same input to another fingerprint; the purchase goes on with the one it began with.
    const request = isSame ? { ...asked, fingerprint: row.fingerprint } : asked
    if (row.state === 'failed' && (isSame || isLost)) return answerFailed(request, row)
    // No proof is asked for: the lost purchase paid less than this costs, so the proof would be taken for a payment.
    if (isLost && BigInt(row.amount) < request.price) return { is: 'unmatched' }
    if (isSame) return row.state === 'settled' ? answerSettled(row, request.payment) : goOn(request, row)
    if (row.state === 'working' || row.state === 'settling') return { is: 'in-progress' }
    return isLost ? unproven(row) : challenge('payment_already_used')
  }
}
