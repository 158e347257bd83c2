/** What is asked of a stranger's server. */
export interface FetchWish {
  /** Media types, most wanted first, as the `Accept` header says them. */
  readonly accept: string
  /** For everything together: names, redirects, body. */
  readonly deadlineMs: number
  /** Of the body after decoding; more is cut off and not read. */
  readonly maxBytes: number
  /** Ends it early. */
  readonly signal?: AbortSignal
}

/** What a stranger's server answered, whatever its status. */
export interface Fetched {
  /** Of the last hop. */
  readonly url: string
  readonly status: number
  /** Lower-case names; several of one name joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** Decoded from its content encodings; not from its charset. */
  readonly body: Uint8Array
  /** More came than was wanted. */
  readonly isCut: boolean
  readonly redirects: number
  readonly durationMs: number
}

/**
 * Why there is no answer. `refused`: an address or a redirect that we do not follow; callers are told no more than that
 * it could not be reached, so that nobody maps a network through us.
 */
export type FetchFailure =
  | 'unresolvable'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'certificate'
  | 'too-many-redirects'
  | 'malformed'

/** A stranger's server that could not be asked, or did not answer. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  readonly reason: FetchFailure

  constructor(reason: FetchFailure, options?: ErrorOptions) {
    super(`not fetched: ${reason}`, options)
    this.reason = reason
  }
}

/**
 * Fetches an address that a stranger named, and only from the public internet.
 *
 * @throws FetchFailed when there is no answer; the signal's reason when that ended it
 */
export type GuardedFetch = (url: string, wish: FetchWish) => Promise<Fetched>
