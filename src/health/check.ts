import type { Finding } from '../core/finding.ts'

/** A look at one thing that sales need. */
export interface Check {
  readonly name: string
  /** For how long what was found in order is believed, in milliseconds. */
  readonly everyMs: number
  /**
   * Ends by itself, in seconds. Undefined when it cannot be told because of something that another check looks at.
   */
  readonly run: () => Promise<Finding | undefined>
}
