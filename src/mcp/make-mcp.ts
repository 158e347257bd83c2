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
  /** Of the game host, whose pages may talk to the tools. */
  readonly gameUrl: string
  /** The gate in front of an offer. */
  readonly sell: (offer: Offer, tool: string) => (call: ToolCall) => Promise<ToolAnswer>
  /** What an offer is advertised for. */
  readonly terms: (offer: Offer) => Requirements
  /** What was bought, by the address that its buyer was told. */
  readonly readPurchase: ReadPurchase
  /** Absent where nobody can sign in. */
  readonly operator?: OperatorAccess
}

/** Answers a request to the tools. */
export type Mcp = (request: Request, limits?: CallerLimits) => Promise<Response>

/** Messages of a batch: as many as a client has reason to send, and far from what a body has room for. */
const maxMessages = 20
/** For the envelope and for a payment, beside the largest input, which may arrive with every character escaped. */
const roomBytes = 64 * 1024

/** What a page of another origin may send. */
const crossOriginHeaders =
  'Content-Type, Accept, Authorization, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID'
const allow = 'GET, HEAD, POST, OPTIONS'

/**
 * The site's tools over Streamable HTTP (MCP), for clients of the 2025 and of the 2026 revisions alike. No call needs
 * another before it, so there are no sessions; every request gets a server of its own over the same tools. The
 * operator's tools are there for the operator alone; with `?operator` in the address every request needs the sign-in, so
 * that a program asks for it when it connects.
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

  // A page of a stranger's site must not call through its visitor's browser, whatever name it gives this machine.
  const origins = [baseUrl, deps.gameUrl].map((url) => new URL(url).hostname).concat(localhostAllowedHostnames())

  const beginTexts = makeLongTexts()
  const readInto =
    (texts: LongTexts): ReadBought =>
    async (uri) => {
      const purchased = await deps.readPurchase(uri)
      if (!purchased) return undefined
      // What the file is called, at the end of the address, is up to its reader.
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
    // Nothing changes while the site runs, so nobody is kept listening for it.
    { legacy: 'reject', maxRequestBodySize, maxSubscriptions: 0, onerror: () => {} },
  )

  /** What stands in the way of a request before its messages are read. */
  const findRefusal = async (asked: Request, { messages, tools, hasTwins }: Calls, limits: CallerLimits) => {
    const sold = tools.filter(({ name }) => sellers.has(name))
    const payments = sold.flatMap(({ payment }) => (payment === undefined ? [] : [payment]))
    const isTooMany = messages > maxMessages
    const waitMs = await limits.take(
      // Reading so many was work, too.
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
    // One that breaks off has no reader any more; what is answered only has to be harmless.
    const bytes = await readBody(asked, maxRequestBodySize).catch(() => null)
    if (bytes === null) return refuse(400, 'The message ended too early; nothing was charged')
    if (!bytes) return refuse(413, `A message may have at most ${maxRequestBodySize} bytes; nothing was charged`)
    // The library reads past a byte order mark: who counts must see the same calls behind it.
    const body = bytes.toString('utf8').replace(/^\ufeff+/, '')
    const calls = readCalls(body, maxMessages)
    const refusal = await findRefusal(asked, calls, limits)
    if (refusal) return refusal
    const headers = acceptBoth(asked)
    // What follows is the body that was read.
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

/** What is known of a request once it was let in. */
interface Served {
  readonly isOperator: boolean
  readonly limits: CallerLimits
  readonly texts: LongTexts
}

const requestIdOf = ({ headers }: Request): string => headers.get('x-request-id') ?? randomUUID()

/** The error of a request that reached no server. */
const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status })
