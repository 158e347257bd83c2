/** What the rows of runs say that did not come to an end of their own. */
export const cutOff = {
  gone: 'its process ended',
  stopped: 'it was stopped',
  tooLong: 'it lasted too long and was taken over',
} as const

const reasons: ReadonlySet<string | null> = new Set(Object.values(cutOff))

/** Whether the error of a run says that it was cut off rather than that its work failed. */
export const isCutOff = (error: string | null): boolean => reasons.has(error)

/** The errors of runs that were cut off by what has nothing to do with their work. */
export const ofNoWork: readonly string[] = [cutOff.gone, cutOff.stopped]

/** Whether it was cut off by what has nothing to do with its work, as by a restart, and goes on by itself. */
export const goesOn = (error: string | null): boolean => error !== null && ofNoWork.includes(error)

interface Ended {
  readonly error: string | null
  readonly finished_at: number
  readonly good_at?: number | null
  readonly failed_with?: string | null
}

/** When a job last ended; while its last run goes on, which has done nothing yet however often it is cut off, `good_at`. */
export const endOf = ({ error, finished_at, good_at }: Ended): number =>
  goesOn(error) ? (good_at ?? finished_at) : finished_at

/**
 * Why the work of a job failed when it last came to an end of its own; null where it did not. What was cut off since then
 * takes nothing back: a backup that finds no room is not mended by a restart in the middle of its next try.
 */
export const failureOf = ({ error, failed_with }: Ended): string | null =>
  goesOn(error) ? (failed_with ?? null) : error
