import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { network } from '../../src/core/chain-constants.ts'

type Operation = 'verify' | 'settle'

/**
 * What goes wrong with one call. "before" and everything not marked otherwise never reaches the real facilitator,
 * so no money moves; "after" lets the real one do its work first.
 *
 * - `down`: the connection is reset before the request is read
 * - `slowMs`: done at once, answered late
 * - `drop-before`, `drop-after`: the connection ends without a response
 * - `status-500-before`, `status-500-after`: 500 with a foreign error text
 * - `garbage`: 200, not JSON; `huge`: 200, JSON that never ends
 * - `redirect`: 302 to this server's `/elsewhere`, which calls anything valid and settled
 * - `pending`, `pending-after`: 500 `settlement_pending`, with a transaction hash
 * - `lie-transaction`: settled, with a nonexistent transaction; `lie-other`: with another one (`otherTransaction`)
 * - `lie-network`, `lie-payer` (after): settled, with a wrong network or payer
 * - `refused`: `insufficient_funds`
 *
 * At verify, a fault that lies about the transaction calls the payment valid without a check.
 */
export type Fault =
  | 'down'
  | { slowMs: number }
  | 'drop-before'
  | 'drop-after'
  | 'status-500-before'
  | 'status-500-after'
  | 'garbage'
  | 'huge'
  | 'redirect'
  | 'pending'
  | 'pending-after'
  | 'lie-transaction'
  | 'lie-other'
  | 'lie-network'
  | 'lie-payer'
  | 'refused'

export interface FaultyFacilitator {
  url: string
  /** One fault per coming call, taken from the front; calls after the end of the queue work. */
  faults: { verify: Fault[]; settle: Fault[] }
  /** The fault of every call while the queue is empty. */
  always: { verify?: Fault | undefined; settle?: Fault | undefined }
  /** Calls received, whatever their outcome. `elsewhere`: redirects that were followed. */
  calls: { verify: number; settle: number; supported: number; elsewhere: number }
  /** The transaction hash that `lie-other` returns. */
  otherTransaction: string
  close: () => Promise<void>
}

type Answer = { status: number; body: unknown }

/** An error text as facilitators send it, no part of which may ever reach a buyer. */
export const foreignText = 'upstream RPC https://rpc.example/v3/SECRET-KEY rejected the call'

const wrongNetwork = 'eip155:84532'
const wrongPayer = '0x000000000000000000000000000000000000dEaD'
const randomHash = (): string => `0x${randomBytes(32).toString('hex')}`

/**
 * A facilitator that can be told to fail: a real server in front of a real facilitator. It holds no state of its own,
 * so the chain shows what happened, whatever it says.
 *
 * @example const faulty = await startFaultyFacilitator({ upstreamUrl })
 * faulty.faults.settle.push('drop-after')
 */
export async function startFaultyFacilitator(options: {
  upstreamUrl: string
  otherTransaction?: string
}): Promise<FaultyFacilitator> {
  const forward = async (path: string, body?: string): Promise<Answer> => {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const response = await fetch(`${options.upstreamUrl}${path}`, init)
    return { status: response.status, body: await response.json() }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const operation = toOperation(request.url)
    // Only a facilitator of our own has this path.
    if (request.url === '/health') return send(response, { status: 404, body: { error: 'not_found' } })
    if (!operation) {
      const isSupported = request.url === '/supported'
      faulty.calls[isSupported ? 'supported' : 'elsewhere'] += 1
      return send(
        response,
        isSupported ? await forward('/supported') : { status: 200, body: claims({ transaction: randomHash() }) },
      )
    }
    faulty.calls[operation] += 1
    const fault = faulty.faults[operation].shift() ?? faulty.always[operation]
    if (fault === 'down') {
      request.socket.resetAndDestroy()
      return
    }
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    await fail(fault, {
      response,
      payer: readPayer(body),
      otherTransaction: faulty.otherTransaction,
      work: () => forward(`/${operation}`, body),
    })
  }

  const server = createServer((request, response) => {
    // If the real facilitator is down, the caller sees a connection that ends.
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The faulty facilitator has no port')

  const faulty: FaultyFacilitator = {
    url: `http://127.0.0.1:${address.port}`,
    faults: { verify: [], settle: [] },
    always: {},
    calls: { verify: 0, settle: 0, supported: 0, elsewhere: 0 },
    otherTransaction: options.otherTransaction ?? randomHash(),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return faulty
}

interface Call {
  response: ServerResponse
  payer: string
  otherTransaction: string
  /** Lets the real facilitator do it. */
  work: () => Promise<Answer>
}

async function fail(fault: Fault | undefined, { response, payer, otherTransaction, work }: Call): Promise<void> {
  if (fault === undefined) return send(response, await work())
  if (typeof fault === 'object') {
    const answer = await work()
    await delay(fault.slowMs, undefined, { ref: false })
    return send(response, answer)
  }
  switch (fault) {
    case 'down':
    case 'drop-before':
      return drop(response)
    case 'drop-after':
      await work()
      return drop(response)
    case 'status-500-before':
      return send(response, { status: 500, body: { error: foreignText } })
    case 'status-500-after':
      await work()
      return send(response, { status: 500, body: { error: foreignText } })
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome to the hotel network')
      return
    case 'huge':
      return pour(response)
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return
    case 'pending':
      return send(response, { status: 500, body: pending(randomHash()) })
    case 'pending-after':
      return send(response, { status: 500, body: pending(toTransaction((await work()).body)) })
    case 'lie-transaction':
      return send(response, { status: 200, body: claims({ transaction: randomHash(), payer }) })
    case 'lie-other':
      return send(response, { status: 200, body: claims({ transaction: otherTransaction, payer }) })
    case 'lie-network':
      return send(response, withLie(await work(), { network: wrongNetwork }))
    case 'lie-payer':
      return send(response, withLie(await work(), { payer: wrongPayer }))
    case 'refused':
      return send(response, { status: 200, body: refusal })
  }
}

/** This answer works for both operations: verify reads `isValid`, settle reads `success`. */
const claims = (facts: { transaction: string; payer?: string }) => ({ isValid: true, success: true, network, ...facts })
const pending = (transaction: string) => {
  const reason = 'settlement_pending'
  return { isValid: false, invalidReason: reason, success: false, errorReason: reason, transaction, network }
}
const refusal = { ...pending(''), invalidReason: 'insufficient_funds', errorReason: 'insufficient_funds' }

const toOperation = (path: string | undefined): Operation | undefined =>
  path === '/verify' ? 'verify' : path === '/settle' ? 'settle' : undefined

const Signed = z.object({
  paymentPayload: z.object({ payload: z.object({ authorization: z.object({ from: z.string() }) }) }),
})

/** The real payer, which a credible lie has to name. */
function readPayer(body: string): string {
  try {
    return Signed.parse(JSON.parse(body)).paymentPayload.payload.authorization.from
  } catch {
    return wrongPayer
  }
}

const Settled = z.looseObject({ transaction: z.string() })

const toTransaction = (body: unknown): string => Settled.safeParse(body).data?.transaction ?? ''

const withLie = ({ status, body }: Answer, lie: Record<string, string>): Answer => ({
  status,
  body: { ...z.looseObject({}).parse(body), ...lie },
})

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function drop(response: ServerResponse): void {
  response.destroy()
}

function* endlessJson() {
  yield '{"isValid":true,"success":true,"padding":"'
  const block = 'x'.repeat(64 * 1024)
  for (;;) yield block
}

/** Sends without end until the client disconnects. */
async function pour(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  await pipeline(Readable.from(endlessJson()), response)
}
