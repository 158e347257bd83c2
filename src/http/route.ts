import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers one request; `name` is the part of the path that the route leaves open, decoded, and `address` is the
 * caller's: the peer, or whom a trusted proxy names.
 */
export type Handle = (request: Request, name: string, address: string) => Promise<Response> | Response

/** The same on Node's own objects, for what streams from disk and for libraries that know nothing else. */
export type NodeHandle = (req: IncomingMessage, res: ServerResponse, name: string) => Promise<void> | void

/**
 * A document of some hundred bytes that is made for each request, and that programs ask for over and over. The servers
 * write it by the shortest way, in which most of the time is the system's.
 */
export interface ShortDocument {
  readonly contentType: string
  readonly cacheControl: string
  /** Whether it is told to whoever has it already that it has not changed. */
  readonly hasTag: boolean
  readonly read: () => string | Promise<string>
}

/** One path of a program. What every answer needs (HEAD, OPTIONS, 404, 405, limits, headers) is the router's. */
export interface Route<Handler = Handle> {
  /** Exact, with one segment `:name`, or with everything below a folder: `/audio/*`. */
  readonly path: `/${string}`
  readonly handlers: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>
  /** What GET answers, where servers may write it without a handler; the only method of its path. */
  readonly short?: ShortDocument
  /** Bytes of request body; 64 KiB when absent. */
  readonly maxBodyBytes?: number
  /** A POST here asks for a price or buys. */
  readonly sells?: true
  /** Request headers that pages of other origins may send here; the program's usual ones when absent. */
  readonly crossOriginHeaders?: string
}

/** A path that is only read. */
export const get = (path: Route['path'], handle: Handle): Route => ({ path, handlers: { GET: handle } })
