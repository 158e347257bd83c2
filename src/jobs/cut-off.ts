/** What the rows of runs say that did not come to an end of their own. */
export const cutOff = {
  gone: 'its process ended',
  stopped: 'it was stopped',
  tooLong: 'it lasted too long and was taken over',
} as const

const reasons: ReadonlySet<string | null> = new Set(Object.values(cutOff))

/** Whether the error of a run says that it was cut off rather than that its work failed. */
export const isCutOff = (error: string | null): boolean => reasons.has(error)
