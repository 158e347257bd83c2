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

/** What the tools play in, and where they are. */
export interface ToolServers {
  readonly dungeon: Dungeon
  readonly gameUrl: string
  /** Of the site: its pages may talk to the game. */
  readonly baseUrl: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Sessions of other hosts, where several answer at one address. */
  readonly elsewhere?: FarSessions | undefined
}

const readBearer = (request: Request): string | undefined =>
  /^Bearer +(rt_[\w-]{1,64})$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/**
 * The servers that answer calls over HTTP. Callers of the 2026 revisions have no session: they say with each call whom
 * they play. Callers of the 2025 revisions are remembered by theirs.
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
  // A page of a stranger's site must not play through its visitor's browser, whatever name it gives this machine.
  const hosts = [new URL(gameUrl).hostname, ...localhostAllowedHostnames()]
  const origins = [...hosts, new URL(baseUrl).hostname]
  return {
    /** The answer to whoever has no business here. */
    reject: (request: Request): Response | undefined =>
      hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins),
    /** Answers messages that were read from the body before. */
    async answer(request: Request, body: unknown, address: string): Promise<Response> {
      const isLegacy = await isLegacyRequest(request, body, { maxRequestBodySize: maxBodyBytes })
      return isLegacy ? legacy(request, body, readBearer(request), address) : modern.fetch(request)
    },
  }
}
