import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { toClientKey } from '../../src/http/client-key.ts'
import { type Characters, rememberCharacters } from './characters.ts'

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly characters: Characters
  /** The client key of the caller, by which sessions are limited. */
  readonly household: string
  /** Milliseconds since 1970. */
  usedAt: number
}

interface SessionLimits {
  readonly maxSessions: number
  /** How many sessions one household may keep when all are in use. */
  readonly ofOne: number
  readonly idleMs: number
}

interface LegacySessions {
  readonly makeServer: (characters: Characters, listsSession: boolean) => McpServer
  readonly now: () => number
  readonly maxBodyBytes: number
  readonly limits?: SessionLimits
  /** Set where several hosts share the database: the id of a session names its host. */
  readonly elsewhere?: FarSessions | undefined
}

/** Access to the sessions of other hosts. */
export interface FarSessions {
  /** The prefix of the ids of this host's sessions. */
  readonly mark: string
  /** Forwards a request to the host with this mark; undefined when there is none. */
  readonly ask: (mark: string, request: Request, caller: string) => Promise<Response | undefined>
}

const usualLimits: SessionLimits = { maxSessions: 5000, ofOne: 50, idleMs: 30 * 60_000 }

/**
 * Sessions of clients of MCP's 2025 revisions, which bind an `Mcp-Session-Id` to the characters that joined in it.
 * The map is ordered by last use, so that the first session is the one to close.
 */
export function makeLegacySessions({ makeServer, now, maxBodyBytes, limits = usualLimits, elsewhere }: LegacySessions) {
  const sessions = new Map<string, Session>()

  async function close(id: string, { transport }: Session): Promise<void> {
    sessions.delete(id)
    await transport.close()
  }

  async function closeIdle(): Promise<void> {
    const oldest = now() - limits.idleMs
    for (const [id, session] of sessions) {
      if (session.usedAt > oldest) return
      await close(id, session)
    }
  }

  /** The least recently used session of the household with the most sessions, if it has more than its share. */
  function findSpare(): [string, Session] | undefined {
    const all = [...sessions]
    const households = [...Map.groupBy(all, ([, { household }]) => household).values()]
    const most = households.reduce((one, other) => (other.length > one.length ? other : one), [])
    return most.length > limits.ofOne ? most[0] : undefined
  }

  /**
   * Makes room for one more session; false when it cannot. It closes a session in which nobody ever played, or else one
   * of a household that has more than its share.
   */
  async function makeRoom(): Promise<boolean> {
    if (sessions.size < limits.maxSessions) return true
    const spare = sessions.entries().find(([, { characters }]) => !characters.hasPlayed()) ?? findSpare()
    if (spare) await close(...spare)
    return spare !== undefined
  }

  async function open(request: Request, bearer: string | undefined, caller: string): Promise<Response> {
    if (!(await makeRoom()))
      return refuse(503, 'Every session is in use; try again in a minute', { 'retry-after': '60' })
    const characters = rememberCharacters(bearer)
    const household = toClientKey(caller)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => (elsewhere ? `${elsewhere.mark}.${randomUUID()}` : randomUUID()),
      enableJsonResponse: true,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => void sessions.set(id, { transport, characters, household, usedAt: now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await makeServer(characters, false).connect(transport)
    const response = await transport.handleRequest(request)
    // Without this, clients in a browser, such as the MCP inspector, cannot read the session id.
    response.headers.set('access-control-expose-headers', 'Mcp-Session-Id')
    return response
  }

  /** Answers callers without sessions, such as curl, who send their token with each call. */
  async function answerOnce(request: Request, bearer: string | undefined): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, 'Method not allowed', { allow: 'POST' })
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: maxBodyBytes,
    })
    await makeServer(rememberCharacters(bearer), true).connect(transport)
    return transport.handleRequest(request)
  }

  /** Answers a request of a 2025 revision. `body` is its parsed JSON, or undefined if it has none. */
  return async function handle(
    request: Request,
    body: unknown,
    bearer: string | undefined,
    caller = '',
  ): Promise<Response> {
    await closeIdle()
    const id = request.headers.get('mcp-session-id')
    if (id === null) return isInitializeRequest(body) ? open(request, bearer, caller) : answerOnce(request, bearer)
    const session = sessions.get(id)
    if (!session) {
      const [mark = ''] = id.split('.')
      const far = mark === elsewhere?.mark ? undefined : await elsewhere?.ask(mark, request, caller)
      return far ?? refuse(404, 'Session not found')
    }
    session.usedAt = now()
    sessions.delete(id)
    sessions.set(id, session)
    return session.transport.handleRequest(request)
  }
}

/** A JSON-RPC error for a request that reached no MCP server. */
const refuse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }, { status, headers })
