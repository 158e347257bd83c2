/** Answers one request; `name` is the part of the path that the route leaves open, decoded. */
export type Handle = (request: Request, name: string) => Promise<Response> | Response

/** One path of the game host. What every answer needs (HEAD, 404, 405, limits, headers) is the router's. */
export interface Route {
  /** Exact, or with one segment `:name`. */
  readonly path: `/${string}`
  readonly handlers: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE' | 'OPTIONS', Handle>>>
  /** Bytes of request body; 64 KiB when absent. */
  readonly maxBodyBytes?: number
}
