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
  /** Whose it is, as limits count callers. */
  readonly household: string
  /** Milliseconds since 1970. */
  usedAt: number
}

interface SessionLimits {
  readonly maxSessions: number
  /** What a household may keep of them when there are no more. */
  readonly ofOne: number
  readonly idleMs: number
}

interface LegacySessions {
  readonly makeServer: (characters: Characters, listsSession: boolean) => McpServer
  readonly now: () => number
  readonly maxBodyBytes: number
  readonly limits?: SessionLimits
  /** Where several hosts answer: whose session it is stands in its name. */
  readonly elsewhere?: FarSessions | undefined
}

/** Sessions of the other hosts. */
export interface FarSessions {
  /** What the names of this host's sessions begin with. */
  readonly mark: string
  /** Has a request answered by the host with this mark; undefined when there is none. */
  readonly ask: (mark: string, request: Request, caller: string) => Promise<Response | undefined>
}

const usualLimits: SessionLimits = { maxSessions: 5000, ofOne: 50, idleMs: 30 * 60_000 }

/**
 * Clients of the protocol's 2025 revisions, each bound by its `Mcp-Session-Id` to the character it joined.
 * Sessions stand in the order of their last use, so the first is the one to close.
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

  /** The oldest session of the household that has most of them, where that is more than its share. */
  function findSpare(): [string, Session] | undefined {
    const all = [...sessions]
    const households = [...Map.groupBy(all, ([, { household }]) => household).values()]
    const most = households.reduce((one, other) => (other.length > one.length ? other : one), [])
    return most.length > limits.ofOne ? most[0] : undefined
  }

  /**
   * Whether there is room for one more; a session in which nobody ever played makes way for it, and then one of whoever
   * has far more of them than others.
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
    // Without this a client in a browser, such as the inspector, never learns its session.
    response.headers.set('access-control-expose-headers', 'Mcp-Session-Id')
    return response
  }

  /** For callers who ignore sessions, such as a line of shell: they say whom they play with each call. */
  async function answerOnce(request: Request, bearer: string | undefined): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, 'Method not allowed', { allow: 'POST' })
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: true,
      maxRequestBodySize: maxBodyBytes,
    })
    await makeServer(rememberCharacters(bearer), true).connect(transport)
    return transport.handleRequest(request)
  }

  /** Answers a request of a 2025 revision. `body` is its message, when it has one that can be read. */
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

/** The error of a request that reached no server. */
const refuse = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_001, message }, id: null }, { status, headers })
