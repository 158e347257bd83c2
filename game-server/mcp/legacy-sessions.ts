import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Characters, rememberCharacters } from './characters.ts'

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly characters: Characters
  /** Milliseconds since 1970. */
  usedAt: number
}

interface SessionLimits {
  readonly maxSessions: number
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

const usualLimits: SessionLimits = { maxSessions: 5000, idleMs: 30 * 60_000 }

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

  /** Whether there is room for one more; a session in which nobody ever played makes way for it. */
  async function makeRoom(): Promise<boolean> {
    if (sessions.size < limits.maxSessions) return true
    for (const [id, session] of sessions) {
      if (session.characters.hasPlayed()) continue
      await close(id, session)
      return true
    }
    return false
  }

  async function open(request: Request, bearer: string | undefined): Promise<Response> {
    if (!(await makeRoom()))
      return refuse(503, 'Every session is taken; try again in a minute', { 'retry-after': '60' })
    const characters = rememberCharacters(bearer)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => (elsewhere ? `${elsewhere.mark}.${randomUUID()}` : randomUUID()),
      enableJsonResponse: true,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => void sessions.set(id, { transport, characters, usedAt: now() }),
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
    if (id === null) return isInitializeRequest(body) ? open(request, bearer) : answerOnce(request, bearer)
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
