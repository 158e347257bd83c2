/** The errors in the rows of runs that were cut off. */
export const cutOff = {
  gone: 'its process ended',
  stopped: 'it was stopped',
  tooLong: 'it lasted too long and was taken over',
} as const

const reasons: ReadonlySet<string | null> = new Set(Object.values(cutOff))

/** Whether the error of a run says that it was cut off rather than that its work failed. */
export const isCutOff = (error: string | null): boolean => reasons.has(error)

/** The errors of runs that were cut off for a reason outside of their work. */
export const ofNoWork: readonly string[] = [cutOff.gone, cutOff.stopped]

/** Whether a run was cut off for a reason outside of its work, such as a restart: it is then run again by itself. */
export const goesOn = (error: string | null): boolean => error !== null && ofNoWork.includes(error)

interface Ended {
  readonly error: string | null
  readonly finished_at: number
  readonly good_at?: number | null
  readonly failed_with?: string | null
}

/** When a job last ended. If its last run was cut off from outside and will be run again, `good_at` counts instead. */
export const endOf = ({ error, finished_at, good_at }: Ended): number =>
  goesOn(error) ? (good_at ?? finished_at) : finished_at

/**
 * Why the last run of a job failed that was not cut off from outside; null when it did not fail. A run that is cut off
 * after it does not clear the failure: a restart in the middle of the next backup does not mend one that found no room.
 */
export const failureOf = ({ error, failed_with }: Ended): string | null =>
  goesOn(error) ? (failed_with ?? null) : error
