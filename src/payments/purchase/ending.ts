import { Problem } from '../../core/problem.ts'

/** How purchases learn that the program is about to end. */
export interface Ending {
  /** Whether the program is about to end, so that no settlement may begin. */
  isEnding: () => boolean
  /** Aborted when products that are still being made must be given up. */
  noMoreWork: AbortSignal
}

/**
 * The problem that tells a buyer of a restart.
 *
 * @param effect what became of the money and of the work
 */
export const ending = (effect: string, { charged = false } = {}): Problem =>
  new Problem('busy', { charged, retryAfterSeconds: 15, detail: `The shop is about to restart; ${effect}` })
