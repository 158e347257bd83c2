import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Offer } from '../../functions/offer.ts'
import type { OperatorAccess } from '../oauth/operator-access.ts'
import { Problem, toProblemResponse } from '../problem.ts'
import type { ToolAnswer, ToolCall } from '../tool-answer.ts'
import { toDescriptor } from './descriptor.ts'
import { type FreeToolDeps, makeFreeTools } from './free-tools.ts'
import { makeToolServer, type ServerIdentity } from './make-tool-server.ts'
import { makePaidTools } from './paid-tools.ts'
import { readCalls } from './read-calls.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'

export interface McpDeps extends FreeToolDeps, Omit<ToolContext, 'baseUrl'> {
  readonly identity: ServerIdentity
  /** Of the game host, whose pages may talk to the tools. */
  readonly gameUrl: string
  /** The gate in front of an offer. */
  readonly sell: (offer: Offer, tool: string) => (call: ToolCall) => Promise<ToolAnswer>
  /** Absent where nobody can sign in. */
  readonly operator?: OperatorAccess
}

/** Messages of a batch: as many as a client has reason to send, and far from what a body has room for. */
const maxMessages = 20
/** For the envelope and for a payment, beside the largest input, which may arrive with every character escaped. */
const roomBytes = 64 * 1024

/** What a page of another origin may send. */
const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers':
    'Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID',
  'access-control-max-age': '86400',
}
const allow = 'GET, HEAD, POST, OPTIONS'

/**
 * The site's tools over Streamable HTTP (MCP), for clients of the 2025 and of the 2026 revisions alike. No call needs
 * another before it, so there are no sessions; every request gets a server of its own over the same tools.
 *
 * @example const mcp = makeMcp(deps); export const ALL = ({ request }) => mcp(request)
 */
export function makeMcp(deps: McpDeps): (request: Request) => Promise<Response> {
  const { identity, library, offers, operator, report } = deps
  const { baseUrl } = identity
  const context: ToolContext = { baseUrl, report, toJsonSchema: deps.toJsonSchema }
  const publicTools = [...makeFreeTools(deps, context), ...makePaidTools({ ...context, offers, sell: deps.sell })]
  const operatorNames = new Set(operator?.tools.map(({ name }) => name))
  const maxRequestBodySize = 2 * Math.max(...offers.map(({ maxBodyBytes }) => maxBodyBytes), roomBytes) + roomBytes
  const descriptor = JSON.stringify(toDescriptor(identity, publicTools, offers))

  // A page of a stranger's site must not call through its visitor's browser, whatever name it gives this machine.
  const origins = [baseUrl, deps.gameUrl].map((url) => new URL(url).hostname).concat(localhostAllowedHostnames())

  /** `signedIn`: the operator's tools that this request may call. */
  const serverFor = (request: Request, signedIn: readonly string[]) =>
    makeToolServer({
      identity,
      library,
      tools: [...publicTools, ...toOperatorTools(operator, signedIn, context)],
      gone: request.signal,
      requestId: request.headers.get('x-request-id') ?? randomUUID(),
    })
  const modern = createMcpHandler(
    ({ requestInfo, authInfo }) => {
      if (!requestInfo) throw new Error('a message came by no request')
      return serverFor(requestInfo, authInfo?.scopes ?? [])
    },
    // Nothing changes while the site runs, so nobody is kept listening for it.
    { legacy: 'reject', maxRequestBodySize, maxSubscriptions: 0, onerror: () => {} },
  )

  const answerCall = async (asked: Request): Promise<Response> => {
    const body = await readText(asked, maxRequestBodySize)
    if (body === undefined)
      return refuse(413, `A message may have ${maxRequestBodySize} bytes here; nothing was charged`)
    const calls = readCalls(body)
    if (calls.messages > maxMessages) return refuse(400, `A batch may have ${maxMessages} messages here`)
    const signedIn: string[] = []
    for (const name of calls.tools.filter((tool) => operatorNames.has(tool))) {
      const refused = await operator?.refuse(asked, name)
      if (refused) return refused
      signedIn.push(name)
    }
    const request = new Request(asked.url, { method: 'POST', headers: acceptBoth(asked), body, signal: asked.signal })
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize })))
      return modern.fetch(request, { authInfo: { token: '', clientId: '', scopes: signedIn } })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, maxRequestBodySize })
    const server = serverFor(request, signedIn)
    await server.connect(transport)
    try {
      return await transport.handleRequest(request)
    } finally {
      await server.close()
    }
  }

  return async (request) => {
    const rejected = originValidationResponse(request, origins)
    if (rejected) return rejected
    switch (request.method) {
      case 'POST':
        return answerCall(request)
      case 'OPTIONS':
        return new Response(null, { status: 204, headers: { ...preflight, allow } })
      case 'GET':
      case 'HEAD':
        if (accepts(request, 'text/html'))
          return new Response(null, { status: 303, headers: { location: `${baseUrl}/agents/mcp`, vary: 'accept' } })
        if (accepts(request, 'text/event-stream') && !accepts(request, 'application/json')) break
        return new Response(request.method === 'HEAD' ? null : descriptor, {
          headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=60', vary: 'accept' },
        })
    }
    const detail = 'Tools are called with POST; nothing is pushed from here, and there are no sessions to end'
    const problem = new Problem('method-not-allowed', { detail, headers: { allow } })
    return toProblemResponse(problem, { baseUrl, requestId: request.headers.get('x-request-id') ?? randomUUID() })
  }
}

/** The operator's tools: everybody sees that they are there, and who signed in may call them. */
const toOperatorTools = (
  operator: OperatorAccess | undefined,
  signedIn: readonly string[],
  context: ToolContext,
): Tool[] =>
  (operator?.tools ?? []).map(({ description, inputSchema, run, ...tool }) =>
    defineTool(
      {
        ...tool,
        description: `${description} Needs the operator's sign-in.`,
        input: inputSchema,
        async run(input) {
          if (!signedIn.includes(tool.name))
            throw new Problem('not-found', { detail: 'Call this tool in a request of its own' })
          return run(input)
        },
      },
      context,
    ),
  )

/** Answers are JSON; the library wants callers to name event streams too, which a line of shell does not. */
function acceptBoth(request: Request): Headers {
  const headers = new Headers(request.headers)
  if (accepts(request, 'application/json') || accepts(request, '*/*'))
    headers.set('accept', 'application/json, text/event-stream')
  // What follows is the body that was read.
  headers.delete('content-length')
  return headers
}

const accepts = (request: Request, type: string): boolean => (request.headers.get('accept') ?? '').includes(type)

/** @returns undefined when the body is larger; the rest of it is not read */
async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The error of a request that reached no server. */
const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status })
