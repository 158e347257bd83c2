import type { Payment } from '../wire/payment.ts'
import { makeDisappointments } from './disappointments.ts'
import type { Facilitator, SettleAnswer, Verdict } from './facilitator-client.ts'

/** One of several facilitators. */
export interface Member {
  readonly facilitator: Facilitator
  /** False when it is known not to settle our kind of payment; then it is not asked. */
  readonly isFit: () => boolean
}

/** Whether a reason says that the facilitator does not support our network or scheme, and so did nothing. */
const isElsewhere = (reason: string): boolean => /^(unsupported|invalid)_(scheme|network|x402_version)$/.test(reason)

/** Whether a reason is about the facilitator itself and not about the payment. */
const isAboutItself = (reason: string): boolean => isElsewhere(reason) || /^unexpected_(verify_)?error$/.test(reason)

/**
 * Several facilitators as one. The first that can be used is asked, in the order of the list:
 *
 * - `verify` goes on to the next whenever one gives no verdict, since asking moves no money;
 * - `settle` goes on only when the one before cannot have sent anything (`unsent`). A lost answer ends the attempt: the
 *   chain is asked whether money moved, and the same payment is settled again only when the chain has not seen it. Then
 *   another facilitator is asked before the one whose answer was lost. An authorization moves money at most once,
 *   whichever facilitator settles it.
 */
export function makeFacilitatorList(members: readonly Member[], now: () => number): Facilitator {
  const disappointments = makeDisappointments<Member>(now)

  const fit = (): readonly Member[] => members.filter((member) => member.isFit())
  /**
   * The facilitators to ask in order: those that gave no answer about this payment come last, resting ones are left
   * out.
   */
  const inTurn = ({ key }: Payment): readonly Member[] => {
    const awake = fit().filter(({ facilitator }) => facilitator.restLeftMs() === 0)
    const rank = (member: Member) => Number(disappointments.has(key, member))
    return awake.toSorted((one, other) => rank(one) - rank(other))
  }
  const nobody = (): string =>
    fit().length === 0
      ? 'none of the facilitators settles exact payments on our network'
      : 'each facilitator rests after failures'

  return {
    async verify(payment, terms) {
      let last: Verdict = { is: 'unavailable', cause: nobody() }
      for (const member of inTurn(payment)) {
        const verdict = await member.facilitator.verify(payment, terms)
        if (verdict.is === 'valid' || (verdict.is === 'invalid' && !isAboutItself(verdict.reason))) return verdict
        disappointments.note(payment.key, member)
        last = verdict.is === 'invalid' ? { is: 'unavailable', cause: `verify answered ${verdict.reason}` } : verdict
      }
      return last
    },

    async settle(payment, terms) {
      let last: SettleAnswer = { is: 'unsent', cause: nobody() }
      for (const member of inTurn(payment)) {
        const answer = await member.facilitator.settle(payment, terms)
        const isOfOthers = answer.is === 'refused' && isElsewhere(answer.reason)
        last = isOfOthers ? { is: 'unsent', cause: `settle answered ${answer.reason}` } : answer
        if (last.is === 'unsent' || last.is === 'unknown') disappointments.note(payment.key, member)
        if (last.is !== 'unsent') return last
      }
      return last
    },

    /** Milliseconds until the first of them may be asked again. */
    restLeftMs() {
      const rests = fit().map(({ facilitator }) => facilitator.restLeftMs())
      return rests.length === 0 ? 0 : Math.min(...rests)
    },
  }
}
