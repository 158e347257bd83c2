import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { Problem, toProblemResponse } from '../core/problem.ts'
import type { ToolAnswer, ToolCall } from '../core/tool-answer.ts'
import { type CallerLimits, unlimited } from '../http/caller-limits.ts'
import { toPreflightHeaders } from '../http/preflight.ts'
import { readBody } from '../http/read-body.ts'
import type { OperatorAccess } from '../oauth/operator-access.ts'
import type { Offer } from '../offers/offer.ts'
import type { Requirements } from '../payments/wire/payment.ts'
import { toDescriptor } from './descriptor.ts'
import { type FreeToolDeps, makeFreeTools } from './free-tools.ts'
import type { Library } from './library.ts'
import { type LongTexts, makeLongTexts } from './long-texts.ts'
import { makeToolServer, type ServerIdentity } from './make-tool-server.ts'
import { toOperatorTools } from './operator-tools.ts'
import { makePaidTools } from './paid-tools.ts'
import { type Calls, readCalls } from './read-calls.ts'
import type { ReadBought, ReadPurchase } from './resources.ts'
import type { ToolContext } from './tool.ts'
import { acceptBoth, wantedAnswer } from './wanted-answer.ts'

export interface McpDeps extends FreeToolDeps, Omit<ToolContext, 'baseUrl'> {
  readonly identity: ServerIdentity
  /** The address of the game host, whose pages may call the tools. */
  readonly gameUrl: string
  /** The payment gate of an offer. */
  readonly sell: (offer: Offer, tool: string) => (call: ToolCall) => Promise<ToolAnswer>
  /** The payment terms that are advertised for an offer. */
  readonly terms: (offer: Offer) => Requirements
  /** Reads a purchase by the address that its buyer got. */
  readonly readPurchase: ReadPurchase
  /** The operator's access; absent where nobody can sign in. */
  readonly operator?: OperatorAccess
}

/** Handles a request to the MCP tools. */
export type Mcp = (request: Request, limits?: CallerLimits) => Promise<Response>

/** The largest number of messages in a batch: more than a client needs, but far fewer than fit into a body. */
const maxMessages = 20
/**
 * Bytes for the envelope and a payment, in addition to the largest input, which is counted twice because characters may
 * be escaped.
 */
const roomBytes = 64 * 1024

/** The request headers that pages of other origins may send. */
const crossOriginHeaders =
  'Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID'
const allow = 'GET, HEAD, POST, OPTIONS'

/**
 * The MCP tools of the site over Streamable HTTP, for clients of the 2025 and the 2026 revisions. No call depends on an
 * earlier one, so there are no sessions: every request gets a server of its own over the same tools. Only the operator
 * sees the operator's tools. With `?operator` in the address every request needs the sign-in, so that a client asks for
 * it when it connects.
 *
 * @example const mcp = makeMcp(deps); export const ALL = ({ request }) => mcp(request)
 */
export function makeMcp(deps: McpDeps): Mcp {
  const { identity, library, offers, operator, report } = deps
  const { baseUrl } = identity
  const context: ToolContext = { baseUrl, report, toJsonSchema: deps.toJsonSchema }
  const paidTools = makePaidTools({ ...context, offers, sell: deps.sell, terms: deps.terms })
  const publicTools = [...makeFreeTools(deps, context), ...paidTools]
  const sellers = new Set(paidTools.map(({ name }) => name))
  const operatorTools = toOperatorTools(operator, context)
  const operatorNames = new Set(operatorTools.map(({ name }) => name))
  const maxRequestBodySize = 2 * Math.max(...offers.map(({ maxBodyBytes }) => maxBodyBytes), roomBytes) + roomBytes
  const descriptor = JSON.stringify(toDescriptor(identity, publicTools, offers))

  // Requests from pages of other sites are refused, even if their host name resolves to this machine (DNS rebinding).
  const origins = [baseUrl, deps.gameUrl].map((url) => new URL(url).hostname).concat(localhostAllowedHostnames())

  const beginTexts = makeLongTexts()
  const readInto =
    (texts: LongTexts): ReadBought =>
    async (uri) => {
      const purchased = await deps.readPurchase(uri)
      if (!purchased) return undefined
      // The last segment of the address is a file name, which the reader may choose.
      const text = await texts.text(uri.slice(0, uri.lastIndexOf('/')), purchased.body)
      return { mimeType: purchased.mimeType, text }
    }

  const libraryInto = (texts: LongTexts): Library => ({
    ...library,
    async find(path) {
      const text = await library.find(path)
      return text && texts.string(text)
    },
  })

  const served = new WeakMap<Request, Served>()
  const serverFor = (request: Request) => {
    const known = served.get(request)
    if (!known) throw new Error('a message came by a request that was not let in')
    const { isOperator, limits, texts } = known
    return makeToolServer({
      identity,
      library: libraryInto(texts),
      readBought: readInto(texts),
      lighten: texts.lighten,
      tools: isOperator ? [...publicTools, ...operatorTools] : publicTools,
      isOperator,
      limits,
      gone: request.signal,
      requestId: requestIdOf(request),
    })
  }
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      if (!requestInfo) throw new Error('a message came by no request')
      return serverFor(requestInfo)
    },
    // Nothing changes while the site runs, so subscriptions are not offered.
    { legacy: 'reject', maxRequestBodySize, maxSubscriptions: 0, onerror: () => {} },
  )

  /** The refusal of a request before its messages are handled; undefined if there is none. */
  const findRefusal = async (asked: Request, { messages, tools, hasTwins }: Calls, limits: CallerLimits) => {
    const sold = tools.filter(({ name }) => sellers.has(name))
    const payments = sold.flatMap(({ payment }) => (payment === undefined ? [] : [payment]))
    const isTooMany = messages > maxMessages
    const waitMs = await limits.take(
      // Parsing so many messages was work, too, so they count.
      isTooMany
        ? { free: maxMessages, quotes: 0, payments: [] }
        : { free: messages - sold.length, quotes: sold.length - payments.length, payments },
    )
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000)
      const detail = `Too many requests from your address; ask again in ${retryAfterSeconds} s`
      return answerProblem(asked, new Problem('rate-limited', { charged: false, retryAfterSeconds, detail }))
    }
    if (isTooMany) return refuse(400, `A batch may have at most ${maxMessages} messages`)
    if (hasTwins)
      return refuse(400, 'Two messages of the batch have the same id; nothing was done, and nothing was charged')
    const asksAsOperator = new URL(asked.url).searchParams.has('operator')
    return asksAsOperator || tools.some(({ name }) => operatorNames.has(name)) ? operator?.refuse(asked) : undefined
  }

  const answerCall = async (asked: Request, limits: CallerLimits): Promise<Response> => {
    // The client is gone when its body breaks off, so this response only has to be harmless.
    const bytes = await readBody(asked, maxRequestBodySize).catch(() => null)
    if (bytes === null) return refuse(400, 'The message ended too early; nothing was charged')
    if (!bytes) return refuse(413, `A message may have at most ${maxRequestBodySize} bytes; nothing was charged`)
    // The library ignores a byte order mark, so it is removed here: the calls that are counted have to be those that it
    // handles.
    const body = bytes.toString('utf8').replace(/^\ufeff+/, '')
    const calls = readCalls(body, maxMessages)
    const refusal = await findRefusal(asked, calls, limits)
    if (refusal) return refusal
    const headers = acceptBoth(asked)
    // The new body may have another length.
    headers.delete('content-length')
    const request = new Request(asked.url, { method: 'POST', headers, body, signal: asked.signal })
    const texts = beginTexts()
    served.set(request, { isOperator: (await operator?.isSignedIn(asked)) === true, limits, texts })
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize })))
      return texts.fill(await modern.fetch(request))
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true, maxRequestBodySize })
    const server = serverFor(request)
    await server.connect(transport)
    try {
      return await texts.fill(await transport.handleRequest(request))
    } finally {
      await server.close()
    }
  }

  const answerProblem = (request: Request, problem: Problem): Response =>
    toProblemResponse(problem, { baseUrl, requestId: requestIdOf(request) })

  return async (request, limits = unlimited) => {
    const rejected = originValidationResponse(request, origins)
    if (rejected) return rejected
    switch (request.method) {
      case 'POST':
        return answerCall(request, limits)
      case 'OPTIONS':
        return new Response(null, { status: 204, headers: toPreflightHeaders(allow, crossOriginHeaders) })
      case 'GET':
      case 'HEAD':
        switch (wantedAnswer(request)) {
          case 'text/html':
            return new Response(null, { status: 303, headers: { location: `${baseUrl}/agents/mcp`, vary: 'accept' } })
          case 'application/json':
            return new Response(request.method === 'HEAD' ? null : descriptor, {
              headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=60', vary: 'accept' },
            })
          case 'text/event-stream':
        }
    }
    const detail = 'Call tools with POST. This server pushes nothing, and has no sessions to end'
    return answerProblem(request, new Problem('method-not-allowed', { detail, headers: { allow } }))
  }
}

/** What is known about a request that was admitted. */
interface Served {
  readonly isOperator: boolean
  readonly limits: CallerLimits
  readonly texts: LongTexts
}

const requestIdOf = ({ headers }: Request): string => headers.get('x-request-id') ?? randomUUID()

/** The JSON-RPC error for a request that was not passed to the library. */
const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status })
