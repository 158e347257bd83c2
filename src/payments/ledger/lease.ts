/** The right to move one row on, until it runs out or another takes it. */
export interface Lease {
  readonly key: string
  /** Every write names it; a write under an old fence changes nothing. */
  readonly fence: number
}

/** Another process holds the row now; whatever this one was about to write is void. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** A lease lasts this long and is renewed three times in it. */
export const leaseMs = 10_000

/** Another payment of the same wallet for the same bytes has moved money, or may be moving it: this one must not. */
export class Outrun extends Error {
  override readonly name = 'Outrun'
}
