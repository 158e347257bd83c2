import type { z } from 'zod'
import type { ProblemKind } from '../core/problem-kinds.ts'

/** The two programs: the site with its shop, and the game beside it. */
export type Host = 'site' | 'game'
export type Path = `/${string}`
export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * Who answers, and what all of their answers have. What is built lies on disk: it is sent without counting, whole or
 * in part. A tag spares who has an answer already the sending.
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
  /** The site program, with a file that was made while it ran. */
  sound: { isBuilt: false, hasTag: true, hasRanges: true },
  /** Either program, with what it knows at this moment. */
  program: { isBuilt: false, hasTag: false, hasRanges: false },
  /** The tool servers, which count the messages of a request. */
  tools: { isBuilt: false, hasTag: false, hasRanges: false },
  /** The authorization server of the operator's tools. */
  oauth: { isBuilt: false, hasTag: false, hasRanges: false },
  /** The site program, to the operator alone. */
  operator: { isBuilt: false, hasTag: false, hasRanges: false },
} as const

/** How long an answer may be kept, as `Cache-Control` says it. */
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
 * What is answered: text or bytes of a media type; JSON of a schema; or several media types with the schema of each,
 * a Zod schema or one of OpenAPI's own.
 */
export type Answer = string | z.ZodType | Readonly<Record<string, z.ZodType | object>>

/** What has to be sent. */
export interface Sent {
  readonly schema: z.ZodType
  readonly example: Readonly<Record<string, unknown>>
}

/** What one method of an address does. */
export interface Operation {
  /** Names it for generated clients, for ever. */
  readonly id: string
  readonly title: string
  readonly about: string
  readonly answer: Answer
  /** Of success; 200 when absent. */
  readonly status?: 201 | 202 | 303 | 308
  /** Where the open part of the path is found. */
  readonly from?: string
  readonly parameters?: readonly object[]
  readonly body?: Sent
  readonly form?: Sent
  /** What is refused here; problems that every address of its kind has are left out. */
  readonly problems?: readonly ProblemKind[]
  /** Answers that only this operation gives. */
  readonly responses?: Readonly<Record<number, { readonly description: string; readonly answer?: Answer }>>
  /** In dollars, where it is paid. */
  readonly price?: { readonly min: string; readonly max: string }
}

/** How programs find an address that they were not told of. */
export interface Discovery {
  /** Its name in the catalog's pointers. Names never change, so clients keep them. */
  readonly pointer?: string | undefined
  /** What it is to its host's API (RFC 8631), as the API catalog says it. */
  readonly relation?: 'service-desc' | 'service-doc' | 'service-meta' | 'status' | undefined
  /** How the `Link` header of the front page names it. */
  readonly homeRelation?: string | undefined
  /** The section of `/llms.txt` that lists it. */
  readonly section?: 'programs' | 'game' | 'feeds' | undefined
}

/** One address, or all of one form. */
export interface Route extends Discovery {
  readonly host: Host
  /** `{name}` stands for one part of the path, `{+name}` for all that follows. */
  readonly path: Path
  readonly by: keyof typeof answerers
  readonly cache: Cache
  readonly operations: Readonly<Partial<Record<Method, Operation>>>
  /** Left out of the machine description: what pages load, and the operator's own doors. */
  readonly isPrivate?: true | undefined
}

/** The methods that an address answers, as `Allow` lists them. */
export const allowOf = ({ operations }: Pick<Route, 'operations'>): string => {
  const methods = Object.keys(operations).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

/** The paths that a route stands for. */
export const toPattern = ({ path }: Pick<Route, 'path'>): RegExp => {
  const parts = path.split(/(\{\+?\w+\})/)
  const toPart = (part: string): string => {
    if (part.startsWith('{+')) return '.+'
    return part.startsWith('{') ? '[^/]+' : RegExp.escape(part)
  }
  return new RegExp(`^${parts.map(toPart).join('')}$`)
}

/** What is read at an address: its title and what is to be had. */
export const titleOf = ({ operations }: Pick<Route, 'operations'>): string => operations.GET?.title ?? ''
export const aboutOf = ({ operations }: Pick<Route, 'operations'>): string => operations.GET?.about ?? ''
/** The media type that is read at an address, unless another one is asked for. */
export const typeOf = ({ operations }: Pick<Route, 'operations'>): string =>
  typesOf(operations.GET?.answer ?? '')[0] ?? ''

/** The media types of an answer. */
export const typesOf = (answer: Answer): readonly string[] => {
  if (typeof answer === 'string') return [answer]
  return isSchema(answer) ? ['application/json'] : Object.keys(answer)
}

/** Whether a schema is one of Zod's. */
export const isSchema = (schema: object): schema is z.ZodType => '_zod' in schema
