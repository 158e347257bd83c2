import type { Finding } from '../core/finding.ts'

/** A health check of one thing that sales need. */
export interface Check {
  readonly name: string
  /** How long a finding that all is in order stays valid, in ms. */
  readonly everyMs: number
  /**
   * Ends by itself within seconds. Undefined when it finds nothing because of a fault that another check reports.
   */
  readonly run: () => Promise<Finding | undefined>
}
