import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { toLogText } from '../core/log.ts'
import { base, type Network } from '../core/networks.ts'
import { readNodeBody } from '../http/read-body.ts'
import type { OwnFacilitator } from './facilitator.ts'
import { readFacilitatorRequest } from './facilitator-request.ts'
import { toPortError } from './port.ts'
import { makeSettledResources } from './settled-resources.ts'

type Log = (line: string) => void

interface Answer {
  status: number
  body: object
  headers?: Record<string, string>
}

/** Our facilitator, or a test double without a gas wallet. */
type ServableFacilitator = Omit<OwnFacilitator, 'health' | 'close'> & Partial<Pick<OwnFacilitator, 'health' | 'close'>>

interface Options {
  readonly port: number
  readonly host?: string
  readonly log?: Log
  /** The network that it settles on (CAIP-2); Base when absent. */
  readonly network?: Network['id']
  /** The setting to name in the error when the port is taken. */
  readonly portSetting?: string
}

const maxBodyBytes = 256 * 1024
const limits = {
  requestTimeout: 10_000,
  keepAliveTimeout: 5000,
  // The real timeout is longer than the announced one, so that a payment sent in its last second does not meet a closed
  // connection.
  keepAliveTimeoutBuffer: 15_000,
}

/**
 * Serves a facilitator over HTTP as x402 v2 specifies: `POST /verify`, `POST /settle`, `GET /supported`, and `GET
 * /discovery/resources`, which lists what was settled here; in addition `GET /health`. Any program on this machine may
 * call it, but no page in a browser: neither one of another origin nor one under a host name that was made to resolve
 * here (DNS rebinding).
 *
 * Messages of the chain and of libraries go to the log, never into a response. A 5xx means that the outcome is unknown.
 *
 * @throws Error with one sentence that names FACILITATOR_PORT, or `portSetting`, when the port is taken
 */
export async function serveFacilitator(
  facilitator: ServableFacilitator,
  { port, host = '127.0.0.1', log = () => {}, network = base.id, portSetting = 'FACILITATOR_PORT' }: Options,
) {
  const operations = makeOperations(facilitator, network, log)
  /** Set once the port is known. */
  let isAllowed: (request: IncomingMessage) => boolean = () => false

  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (!isAllowed(request))
      return { status: 403, body: { error: 'forbidden_origin' }, headers: { connection: 'close' } }
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const operation = operations.get(path)
    if (!operation) return { status: 404, body: { error: 'not_found' } }
    const { method, run } = operation
    if (request.method !== method)
      return { status: 405, body: { error: 'method_not_allowed' }, headers: { allow: method } }
    // A page can send other content types across origins without a preflight, and must not be able to spend gas.
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
    if (method === 'POST' && !isJson) return { status: 415, body: { error: 'unsupported_media_type' } }
    const body = await readNodeBody(request, maxBodyBytes)
    if (body === undefined) return { status: 413, body: { error: 'body_too_large' }, headers: { connection: 'close' } }
    return run(body, new URLSearchParams(query))
  }

  const server = createServer(limits, (request, response) => {
    const withoutOutcome = (error: unknown): Answer => {
      log(`facilitator: ${request.url} has no outcome: ${toLogText(error)}`)
      return { status: 502, body: { error: 'outcome_unknown' } }
    }
    const send = ({ status, body, headers }: Answer) => {
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
      response.end(JSON.stringify(body))
    }
    void answer(request).catch(withoutOutcome).then(send)
  })

  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw isTaken ? toPortError(port, { owner: 'facilitator', variable: portSetting }) : error
  })
  const address = server.address()
  const actualPort = typeof address === 'object' && address ? address.port : port
  isAllowed = makeCallerCheck(host, actualPort)
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    facilitator.close?.()
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `http://${host}:${actualPort}`, close }
}

type Run = (body: string, query: URLSearchParams) => Promise<Answer>

function makeOperations(facilitator: ServableFacilitator, network: Network['id'], log: Log) {
  const resources = makeSettledResources(Date.now)
  const verify = async (body: string): Promise<Answer> => {
    const payment = readFacilitatorRequest(body, network)
    if (!payment) return { status: 400, body: { isValid: false, invalidReason: 'invalid_payload' } }
    const { invalidMessage, ...verdict } = await facilitator.verify(payment.payload, payment.requirements)
    if (invalidMessage) log(`facilitator: refused: ${toLogText(invalidMessage)}`)
    return { status: 200, body: verdict }
  }
  const settle = async (body: string): Promise<Answer> => {
    const payment = readFacilitatorRequest(body, network)
    const refusal = { success: false, errorReason: 'invalid_payload', transaction: '', network }
    if (!payment) return { status: 400, body: refusal }
    const { errorMessage, ...outcome } = await facilitator.settle(payment.payload, payment.requirements)
    if (errorMessage) log(`facilitator: not settled: ${toLogText(errorMessage)}`)
    if (outcome.success) resources.keep(payment.payload, payment.requirements)
    return { status: 200, body: outcome }
  }
  const supported = async (): Promise<Answer> => ({ status: 200, body: await facilitator.getSupported() })
  const health = async (): Promise<Answer> => {
    const standing = await facilitator.health?.()
    return { status: standing?.settling === false ? 503 : 200, body: standing ?? {} }
  }
  const list: Run = async (_, query) => {
    const found = resources.list(query)
    return found ? { status: 200, body: found } : { status: 400, body: { error: 'invalid_query' } }
  }
  return new Map<string, { method: 'GET' | 'POST'; run: Run }>([
    ['/health', { method: 'GET', run: health }],
    ['/verify', { method: 'POST', run: verify }],
    ['/settle', { method: 'POST', run: settle }],
    ['/supported', { method: 'GET', run: supported }],
    ['/discovery/resources', { method: 'GET', run: list }],
  ])
}

/** Checks that the `Host` header names this server and that `Origin` is absent or its own. */
function makeCallerCheck(host: string, port: number): (request: IncomingMessage) => boolean {
  const names = new Set([host, '127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`))
  return ({ headers }) => {
    const { host: asked = '', origin } = headers
    return names.has(asked.toLowerCase()) && (origin === undefined || names.has(origin.replace(/^http:\/\//, '')))
  }
}
