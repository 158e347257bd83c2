import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Handles one request. `name` is the decoded part of the path that the route leaves open; `address` is that of the
 * client: the peer, or the one that a trusted proxy names.
 */
export type Handle = (request: Request, name: string, address: string) => Promise<Response> | Response

/** The same on Node's own objects, for routes that stream from disk and for libraries that need them. */
export type NodeHandle = (req: IncomingMessage, res: ServerResponse, name: string) => Promise<void> | void

/**
 * A document of some hundred bytes that is generated for each request and requested very often. The servers write it
 * without a handler, which leaves most of the time to the system.
 */
export interface ShortDocument {
  readonly contentType: string
  readonly cacheControl: string
  /** Whether it has an ETag, so that 304 is possible. */
  readonly hasTag: boolean
  readonly read: () => string | Promise<string>
}

/** One path of a program. The router does what every response needs (HEAD, OPTIONS, 404, 405, limits, headers). */
export interface Route<Handler = Handle> {
  /** Exact, with one segment `:name`, or with everything below a folder: `/audio/*`. */
  readonly path: `/${string}`
  readonly handlers: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>>
  /** The response to GET that servers may write without calling the handler. Such a path has no other method. */
  readonly short?: ShortDocument
  /** Bytes of request body; 64 KiB when absent. */
  readonly maxBodyBytes?: number
  /** Whether a POST to this path asks for a price or buys. */
  readonly sells?: true
  /** Request headers that pages of other origins may send here; the program's usual ones when absent. */
  readonly crossOriginHeaders?: string
}

/** A route with only a GET handler. */
export const get = (path: Route['path'], handle: Handle): Route => ({ path, handlers: { GET: handle } })
