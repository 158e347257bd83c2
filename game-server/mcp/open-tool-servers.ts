import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import type { Dungeon } from '../protocol/dungeon.ts'
import { type Characters, rememberCharacters } from './characters.ts'
import { type FarSessions, makeLegacySessions } from './legacy-sessions.ts'
import { makeToolServer } from './tools.ts'

/** The dungeon that the tools play, and the URLs of this installation. */
export interface ToolServers {
  readonly dungeon: Dungeon
  readonly gameUrl: string
  /** The URL of the site, whose pages may call the tools. */
  readonly baseUrl: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Access to the sessions of other hosts, where several share the database. */
  readonly elsewhere?: FarSessions | undefined
}

const readBearer = (request: Request): string | undefined =>
  /^Bearer +(rt_[\w-]{1,64})$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/**
 * The MCP servers behind the HTTP routes. Callers of the 2026 revisions have no session and send their token with each
 * call. For callers of the 2025 revisions the session remembers it.
 */
export function openToolServers(options: ToolServers & { readonly maxBodyBytes: number }) {
  const { dungeon, gameUrl, baseUrl, maxBodyBytes } = options
  const makeServer = (characters: Characters, listsSession: boolean) =>
    makeToolServer({ dungeon, characters, listsSession, gameUrl })
  const legacy = makeLegacySessions({ ...options, makeServer })
  const modern = createMcpHandler(
    ({ requestInfo }) => makeServer(rememberCharacters(requestInfo && readBearer(requestInfo)), true),
    { legacy: 'reject', maxRequestBodySize: maxBodyBytes },
  )
  // Against DNS rebinding: a page of another site must not play through its visitor's browser.
  const hosts = [new URL(gameUrl).hostname, ...localhostAllowedHostnames()]
  const origins = [...hosts, new URL(baseUrl).hostname]
  return {
    /** The response to a request with a foreign `Host` or `Origin`; undefined when both are allowed. */
    reject: (request: Request): Response | undefined =>
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins),
    /** Answers a request whose body was parsed before. */
    async answer(request: Request, body: unknown, address: string): Promise<Response> {
      const isLegacy = await isLegacyRequest(request, body, { maxRequestBodySize: maxBodyBytes })
      return isLegacy ? legacy(request, body, readBearer(request), address) : modern.fetch(request)
    },
  }
}
