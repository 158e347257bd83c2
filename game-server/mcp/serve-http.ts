import { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import type { Handle, Route } from '../../src/http/route.ts'
import { hasTwins } from '../../src/mcp/read-calls.ts'
import { acceptBoth, wantedAnswer } from '../../src/mcp/wanted-answer.ts'
import { type GameAddresses, toDescriptor } from './descriptor.ts'
import type { ToolServers } from './open-tool-servers.ts'

interface McpRoutes extends Omit<ToolServers, 'gameUrl'> {
  readonly addresses: GameAddresses
  /** Counts a batch of an address; returns 0 when it is admitted, else the milliseconds until it can be. */
  readonly admit: (address: string, asked: { readonly messages: number; readonly joins: number }) => number
}

const joinSchema = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.literal('dungeon_join') }),
})

const maxBodyBytes = 64 * 1024
/** How many messages a batch may have: more than clients need, and far fewer than fit into a body. */
const maxMessages = 20

/**
 * The tools over Streamable HTTP, at `/mcp` and `/api/mcp`. The MCP server is loaded with the first call: it is a
 * seventh of the host's code, and pages and players should not wait for it after a restart.
 */
export function makeMcpRoutes({ addresses, admit, baseUrl, ...playing }: McpRoutes): Route[] {
  const { gameUrl } = addresses
  const descriptor = toDescriptor('dungeon', addresses)
  const open = async () => {
    const { openToolServers } = await import('./open-tool-servers.ts')
    return openToolServers({ ...playing, gameUrl, baseUrl, maxBodyBytes })
  }
  let opened: ReturnType<typeof open> | undefined

  const handle: Handle = async (asked, _, address) => {
    const request = asked.method === 'POST' ? new Request(asked, { headers: acceptBoth(asked) }) : asked
    opened ??= open().catch((error: unknown) => {
      // The next call tries to load it again.
      opened = undefined
      throw error
    })
    const { reject, answer } = await opened
    const rejected = reject(request)
    if (rejected) return rejected
    const body = await readMessage(request)
    const messages: unknown[] = Array.isArray(body) ? body : [body]
    refuseTooMuch(messages, address)
    if (messages.length > maxMessages) return refuse(`A batch may have at most ${maxMessages} messages`)
    if (hasTwins(messages)) return refuse('Two messages of the batch have the same id; nothing was done')
    return answer(request, body, address)
  }
  /** Counts a batch; joins share their limit with sockets. Checked before any message, as a batch is handled whole. */
  function refuseTooMuch(messages: readonly unknown[], address: string): void {
    const joins = messages.slice(0, maxMessages).filter((message) => joinSchema.safeParse(message).success).length
    const waitMs = admit(address, { messages: Math.min(messages.length, maxMessages), joins })
    if (waitMs === 0) return
    const retryAfterSeconds = Math.ceil(waitMs / 1000)
    const often = joins > 0 ? 'joined' : 'asked'
    const detail = `Your address ${often} too often; try again in ${retryAfterSeconds} seconds`
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

/** The JSON body of a request, which can still be read again; undefined when it has none or an invalid one. */
async function readMessage(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  try {
    return await request.clone().json()
  } catch {
    return undefined
  }
}

/** A JSON-RPC error for a request that reached no MCP server. */
const refuse = (message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null }, { status: 400 })

/** Whether a GET opens the event stream of an MCP session; any other GET asks for the descriptor. */
const wantsStream = (request: Request): boolean =>
  request.headers.has('mcp-session-id') || wantedAnswer(request) === 'text/event-stream'

/** Redirects browsers to a page for people. */
const unlessBrowser =
  (page: string, handle: Handle): Handle =>
  (request, name, address) =>
    wantedAnswer(request) === 'text/html'
      ? new Response(null, { status: 303, headers: { location: page, vary: 'accept' } })
      : handle(request, name, address)
