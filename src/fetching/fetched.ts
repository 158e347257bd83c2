/** How to fetch from a stranger's server. */
export interface FetchWish {
  /** Media types, most wanted first, as the `Accept` header says them. */
  readonly accept: string
  /** Milliseconds for everything together: name lookups, redirects and body. */
  readonly deadlineMs: number
  /** The largest decoded body, in bytes; the rest is cut off and not read. */
  readonly maxBytes: number
  /** Returns an encoded body as it was sent, up to little more than `maxBytes`, for `decodeBody` in another process. */
  readonly keepsEncoding?: true
  /** Aborts the fetch. */
  readonly signal?: AbortSignal
}

/** The response of a stranger's server, with any status. */
export interface Fetched {
  /** The URL after all redirects. */
  readonly url: string
  readonly status: number
  /** Names are lower case; several values of one name are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  /** Decoded from its content encodings, unless `encoding` names them; not from its charset. */
  readonly body: Uint8Array
  /** The content encodings that the body still has, because the wish keeps them. */
  readonly encoding?: string
  /** Whether the body was longer than what was read of it. */
  readonly isCut: boolean
  readonly redirects: number
  readonly durationMs: number
}

/**
 * Why there is no response. `refused`: an address or a redirect that we do not follow. Strangers are only told that it
 * could not be reached, so that nobody can map a network through us.
 */
export type FetchFailure =
  | 'unresolvable'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'certificate'
  | 'too-many-redirects'
  | 'malformed'

/** Thrown when a stranger's server could not be asked, or did not respond. */
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
 * @throws FetchFailed when there is no response; the signal's reason when it was aborted
 */
export type GuardedFetch = (url: string, wish: FetchWish) => Promise<Fetched>
