/** The right of one process to change a row, until the lease expires or another process takes the row over. */
export interface Lease {
  readonly key: string
  /** Fencing token: every write names it, and a write with an old one changes nothing. */
  readonly fence: number
}

/** Thrown when another process has taken the row; the write was not carried out. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** How long a lease lasts without being renewed, in milliseconds. It is renewed after each third of that. */
export const leaseMs = 10_000

/** Thrown when another payment of the same wallet for the same bytes has settled or is settling: this one must not. */
export class Outrun extends Error {
  override readonly name = 'Outrun'
}
