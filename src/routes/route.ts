import type { z } from 'zod'
import type { ProblemKind } from '../core/problem-kinds.ts'

/** The two programs: the site with its shop, and the game beside it. */
export type Host = 'site' | 'game'
export type Path = `/${string}`
export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * The kinds of handlers that answer requests, and the properties of their responses. `isBuilt`: a file of the build,
 * served without a rate limit. `hasTag`: an `ETag` allows conditional requests. `hasRanges`: parts can be requested.
 */
export const answerers = {
  /** A page that Astro writes with the build, and its markdown. */
  page: { isBuilt: true, hasTag: true, hasRanges: true },
  /** A document that Astro or the build itself writes. */
  file: { isBuilt: true, hasTag: true, hasRanges: true },
  /** What pages load: styles, scripts, pictures, fonts. */
  asset: { isBuilt: true, hasTag: true, hasRanges: true },
  /** A page that Astro makes for each request. */
  'live page': { isBuilt: false, hasTag: false, hasRanges: false },
  /** A document that the running site makes for each request. */
  endpoint: { isBuilt: false, hasTag: true, hasRanges: false },
  /** The site program, which serves an audio file that was made while it ran. */
  sound: { isBuilt: false, hasTag: true, hasRanges: true },
  /** Either program, with a response from its current state. */
  program: { isBuilt: false, hasTag: false, hasRanges: false },
  /** The MCP servers, whose rate limit counts the messages of a request. */
  tools: { isBuilt: false, hasTag: false, hasRanges: false },
  /** The authorization server of the operator's tools. */
  oauth: { isBuilt: false, hasTag: false, hasRanges: false },
  /** The site program, to the operator alone. */
  operator: { isBuilt: false, hasTag: false, hasRanges: false },
} as const

/** How long a response may be cached, as values of `Cache-Control`. */
export const cacheControls = {
  never: 'no-store',
  'by nobody else': 'private, no-store',
  'while asked': 'no-cache',
  'while unchanged': 'public, max-age=0, must-revalidate',
  'a minute': 'public, max-age=60',
  'five minutes': 'public, max-age=300',
  'an hour': 'public, max-age=3600',
  'a day': 'public, max-age=86400',
  'a day, unchanged': 'public, max-age=86400, immutable',
  'for ever': 'public, max-age=31536000, immutable',
  'not said': null,
} as const
export type Cache = keyof typeof cacheControls

/**
 * The body of a response: a media type; the Zod schema of a JSON document; or several media types, each with its
 * schema, which is a Zod schema or an OpenAPI schema object.
 */
export type Answer = string | z.ZodType | Readonly<Record<string, z.ZodType | object>>

/** A request body. */
export interface Sent {
  readonly schema: z.ZodType
  readonly example: Readonly<Record<string, unknown>>
}

/** One method of one address. */
export interface Operation {
  /** Its `operationId`. Generated clients use it as a name, so it never changes. */
  readonly id: string
  readonly title: string
  readonly about: string
  readonly answer: Answer
  /** The status of a successful response; 200 when absent. */
  readonly status?: 201 | 202 | 303 | 308
  /** Where callers find the value of the path parameter. */
  readonly from?: string
  readonly parameters?: readonly object[]
  readonly body?: Sent
  readonly form?: Sent
  /** The problems that it may answer with, except those that every address of its kind has. */
  readonly problems?: readonly ProblemKind[]
  /** Further responses by status, which only this operation has. */
  readonly responses?: Readonly<Record<number, { readonly description: string; readonly answer?: Answer }>>
  /** The price of a paid operation, in dollars with six decimals. */
  readonly price?: { readonly min: string; readonly max: string }
}

/** How programs discover an address. */
export interface Discovery {
  /** Its name in the catalog's pointers. Names never change, so clients keep them. */
  readonly pointer?: string | undefined
  /** Its link relation to its host's API (RFC 8631) in the API catalog. */
  readonly relation?: 'service-desc' | 'service-doc' | 'service-meta' | 'status' | undefined
  /** Its link relation in the `Link` header of the front page. */
  readonly homeRelation?: string | undefined
  /** The section of `/llms.txt` that lists it. */
  readonly section?: 'programs' | 'game' | 'feeds' | undefined
}

/** One address, or all addresses of one template. */
export interface Route extends Discovery {
  readonly host: Host
  /** `{name}` stands for one part of the path, `{+name}` for all that follows. */
  readonly path: Path
  readonly by: keyof typeof answerers
  readonly cache: Cache
  readonly operations: Readonly<Partial<Record<Method, Operation>>>
  /** Left out of the OpenAPI document: files that pages load, and routes of the operator. */
  readonly isPrivate?: true | undefined
}

/** The value of the `Allow` header of an address. */
export const allowOf = ({ operations }: Pick<Route, 'operations'>): string => {
  const methods = Object.keys(operations).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

/** A regular expression that matches the paths of a route. */
export const toPattern = ({ path }: Pick<Route, 'path'>): RegExp => {
  const parts = path.split(/(\{\+?\w+\})/)
  const toPart = (part: string): string => {
    if (part.startsWith('{+')) return '.+'
    return part.startsWith('{') ? '[^/]+' : RegExp.escape(part)
  }
  return new RegExp(`^${parts.map(toPart).join('')}$`)
}

/** Title and description of what GET returns. */
export const titleOf = ({ operations }: Pick<Route, 'operations'>): string => operations.GET?.title ?? ''
export const aboutOf = ({ operations }: Pick<Route, 'operations'>): string => operations.GET?.about ?? ''
/** The media type that GET returns unless `Accept` selects another one. */
export const typeOf = ({ operations }: Pick<Route, 'operations'>): string =>
  typesOf(operations.GET?.answer ?? '')[0] ?? ''

/** The media types of an answer. */
export const typesOf = (answer: Answer): readonly string[] => {
  if (typeof answer === 'string') return [answer]
  return isSchema(answer) ? ['application/json'] : Object.keys(answer)
}

/** Whether a schema is one of Zod's. */
export const isSchema = (schema: object): schema is z.ZodType => '_zod' in schema
