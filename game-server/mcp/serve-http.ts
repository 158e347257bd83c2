import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import type { Handle, Route } from '../../src/http/route.ts'
import { acceptBoth, wantedAnswer } from '../../src/mcp/wanted-answer.ts'
import type { Dungeon } from '../protocol/dungeon.ts'
import { type Characters, rememberCharacters } from './characters.ts'
import { type GameAddresses, toDescriptor } from './descriptor.ts'
import { type FarSessions, makeLegacySessions } from './legacy-sessions.ts'
import { makeToolServer } from './tools.ts'

interface McpRoutes {
  readonly dungeon: Dungeon
  readonly addresses: GameAddresses
  /** Of the site: its pages may talk to the game. */
  readonly baseUrl: string
  /** Counts what an address asks for at once; milliseconds until it may, 0 for now. */
  readonly admit: (address: string, asked: { readonly messages: number; readonly joins: number }) => number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Sessions of other hosts, where several answer at one address. */
  readonly elsewhere?: FarSessions | undefined
}

const joinSchema = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.literal('dungeon_join') }),
})

const maxBodyBytes = 64 * 1024
/** Messages of a batch: as many as a client has reason to send, and far from what a body has room for. */
const maxMessages = 20

const readBearer = (request: Request): string | undefined =>
  /^Bearer +(rt_[\w-]{1,64})$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/**
 * The tools over Streamable HTTP, at `/mcp` and `/api/mcp`. Callers of the 2026 revisions have no session: they say
 * with each call whom they play. Callers of the 2025 revisions are remembered by theirs.
 */
export function makeMcpRoutes({ dungeon, addresses, admit, baseUrl, now, elsewhere }: McpRoutes): Route[] {
  const { gameUrl } = addresses
  const makeServer = (characters: Characters, listsSession: boolean) =>
    makeToolServer({ dungeon, characters, listsSession, gameUrl })
  const legacy = makeLegacySessions({ makeServer, now, maxBodyBytes, elsewhere })
  const descriptor = toDescriptor('dungeon', addresses)
  const modern = createMcpHandler(
    ({ requestInfo }) => makeServer(rememberCharacters(requestInfo && readBearer(requestInfo)), true),
    { legacy: 'reject', maxRequestBodySize: maxBodyBytes },
  )

  // A page of a stranger's site must not play through its visitor's browser, whatever name it gives this machine.
  const hosts = [new URL(gameUrl).hostname, ...localhostAllowedHostnames()]
  const origins = [...hosts, new URL(baseUrl).hostname]

  const handle: Handle = async (asked, _, address) => {
    const request = asked.method === 'POST' ? new Request(asked, { headers: acceptBoth(asked) }) : asked
    const rejected = hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins)
    if (rejected) return rejected
    const body = await readMessage(request)
    const messages: unknown[] = Array.isArray(body) ? body : [body]
    refuseTooMuch(messages, address)
    if (messages.length > maxMessages) return refuse(`A batch may have ${maxMessages} messages here`)
    const isLegacy = await isLegacyRequest(request, body, { maxRequestBodySize: maxBodyBytes })
    return isLegacy ? legacy(request, body, readBearer(request), address) : modern.fetch(request)
  }
  /** Joins have the same limit as over sockets; and before anything is done, because a batch is done whole or not. */
  function refuseTooMuch(messages: readonly unknown[], address: string): void {
    const joins = messages.slice(0, maxMessages).filter((message) => joinSchema.safeParse(message).success).length
    const waitMs = admit(address, { messages: Math.min(messages.length, maxMessages), joins })
    if (waitMs === 0) return
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    const often = joins > 0 ? 'joined' : 'asked'
    const detail = `Your address ${often} too often; come again in ${retryAfterSeconds} seconds`
    throw new Problem('rate-limited', { detail, retryAfterSeconds })
  }

  const describe: Handle = (request, name, address) =>
    wantsStream(request) ? handle(request, name, address) : Response.json(descriptor, { headers: { vary: 'accept' } })

  const page = `${gameUrl}/mcp.html`
  return [
    { path: '/mcp', maxBodyBytes, handlers: { GET: unlessBrowser(page, handle), POST: handle, DELETE: handle } },
    { path: '/api/mcp', maxBodyBytes, handlers: { GET: unlessBrowser(page, describe), POST: handle, DELETE: handle } },
  ]
}

/** The message of a request, left in place for whoever answers it; absent when there is none or it cannot be read. */
async function readMessage(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  try {
    return await request.clone().json()
  } catch {
    return undefined
  }
}

/** The error of a request that reached no server. */
const refuse = (message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null }, { status: 400 })

/** Clients of a session listen with this; whoever wants to know what is here asks for anything else. */
const wantsStream = (request: Request): boolean =>
  request.headers.has('mcp-session-id') || wantedAnswer(request) === 'text/event-stream'

/** A person who follows the link gets a page to read. */
const unlessBrowser =
  (page: string, handle: Handle): Handle =>
  (request, name, address) =>
    wantedAnswer(request) === 'text/html'
      ? new Response(null, { status: 303, headers: { location: page, vary: 'accept' } })
      : handle(request, name, address)
