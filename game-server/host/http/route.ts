/**
 * Answers one request; `name` is the part of the path that the route leaves open, decoded, and `address` is who asks:
 * the peer, or whom a trusted proxy names.
 */
export type Handle = (request: Request, name: string, address: string) => Promise<Response> | Response

/** One path of the game host. What every answer needs (HEAD, 404, 405, limits, headers) is the router's. */
export interface Route {
  /** Exact, or with one segment `:name`. */
  readonly path: `/${string}`
  readonly handlers: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE' | 'OPTIONS', Handle>>>
  /** Bytes of request body; 64 KiB when absent. */
  readonly maxBodyBytes?: number
  /** A POST here asks for a price or buys. */
  readonly sells?: true
}
