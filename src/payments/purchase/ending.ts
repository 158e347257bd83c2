import { Problem } from '../../core/problem.ts'

/** What a program that stops tells its purchases. */
export interface Ending {
  /** Whether it is about to end, so that nothing may be settled any more. */
  isEnding: () => boolean
  /** Aborted when work that is still going on can no more be waited for. */
  noMoreWork: AbortSignal
}

/** @param effect what became of the money and of the work */
export const ending = (effect: string, { charged = false } = {}): Problem =>
  new Problem('busy', { charged, retryAfterSeconds: 15, detail: `The shop is about to restart; ${effect}` })
