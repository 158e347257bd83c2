import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'

/**
 * What goes wrong with one call. A number: that status with an error as the platform words it, and nothing is done.
 *
 * - `hang`: no response, and nothing is done; `hang-after`: no response after the real facilitator has done it
 * - `drop`: the connection ends, and nothing is done; `drop-after`: after it is done; `drop-meanwhile`: during the work
 * - `refuse`: `insufficient_funds`, and nothing is done
 * - `leave-after`: responds correctly, and accepts no connection from then on
 */
type Fault = number | 'hang' | 'hang-after' | 'drop' | 'drop-after' | 'drop-meanwhile' | 'refuse' | 'leave-after'
type Operation = 'verify' | 'settle' | 'supported'

const base = '/platform/v2/x402'
const headerSchema = z.strictObject({
  alg: z.enum(['EdDSA', 'ES256']),
  kid: z.string(),
  typ: z.literal('JWT'),
  nonce: z.string().min(16),
})
const claimsSchema = z.strictObject({
  iss: z.literal('cdp'),
  sub: z.string(),
  iat: z.number(),
  nbf: z.number(),
  exp: z.number(),
  uris: z.tuple([z.string()]),
})

interface Options {
  readonly upstreamUrl: string
  /** Secrets or public keys by API key id; requests need no signature when absent. */
  readonly keys?: Readonly<Record<string, KeyObject>>
  /** The network on which it settles; that of the real facilitator when absent. */
  readonly network?: string
}

/**
 * A facilitator like that of the Coinbase Developer Platform in front of a real one: each request needs a token for its
 * own method and address, signed with a known key, valid for two minutes at most and used once.
 */
export async function startPretendCdp({ upstreamUrl, keys, network }: Options) {
  const used = new Set<string>()
  const authorizations: string[] = []
  const calls = { verify: 0, settle: 0, supported: 0 }
  const refusals: string[] = []

  const judge = ({ method, url, headers }: IncomingMessage): string | undefined => {
    if (!keys) return undefined
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) return 'no token'
    const [head = '', body = '', signature = ''] = token.split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    const { alg, kid, nonce } = headerSchema.parse(read(head))
    const claims = claimsSchema.parse(read(body))
    const key = keys[kid]
    if (!key || claims.sub !== kid) return 'an unknown key'
    const publicKey = key.type === 'private' ? createPublicKey(key) : key
    const how = alg === 'ES256' ? { key: publicKey, dsaEncoding: 'ieee-p1363' as const } : publicKey
    const signed = Buffer.from(`${head}.${body}`)
    if (!verifySignature(alg === 'ES256' ? 'sha256' : null, signed, how, Buffer.from(signature, 'base64url')))
      return 'a bad signature'
    const at = Date.now() / 1000
    if (claims.nbf > at + 1 || claims.exp < at || claims.exp - claims.nbf > 120) return 'a wrong time'
    if (claims.uris[0] !== `${method} ${headers.host}${url}`) return `a token for ${claims.uris[0]}`
    if (used.has(nonce)) return 'a token that was used'
    used.add(nonce)
    return undefined
  }

  const forward = async (operation: Operation, body: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${upstreamUrl}/${operation}`, {
      ...(operation === 'supported' ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    })
    return { status: response.status, text: await response.text() }
  }
  const elsewhere = (operation: Operation): string => {
    if (operation === 'supported') return JSON.stringify({ kinds: [{ x402Version: 2, scheme: 'exact', network }] })
    const reason = 'invalid_network'
    return JSON.stringify({
      isValid: false,
      invalidReason: reason,
      success: false,
      errorReason: reason,
      transaction: '',
    })
  }
  const refusal = JSON.stringify({ success: false, errorReason: 'insufficient_funds', transaction: '' })

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    const fail = (status: number) =>
      send(status, JSON.stringify({ errorType: 'an_error', errorMessage: 'told by the platform', correlationId: 'c' }))
    const operation = (['verify', 'settle', 'supported'] as const).find((each) => request.url === `${base}/${each}`)
    if (!operation) return void fail(404)
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    authorizations.push(request.headers.authorization ?? '')
    const refused = judge(request)
    if (refused !== undefined) {
      refusals.push(refused)
      return void fail(401)
    }
    calls[operation] += 1
    const fault = cdp.faults[operation].shift() ?? cdp.always[operation]
    if (typeof fault === 'number') return void fail(fault)
    if (fault === 'hang') return
    if (fault === 'drop') return void response.destroy()
    if (fault === 'refuse') return void send(200, refusal)
    if (network !== undefined) return void send(200, elsewhere(operation))
    if (fault === 'drop-meanwhile') response.destroy()
    const { status, text } = await forward(operation, body)
    if (fault === 'drop-after') response.destroy()
    if (fault !== undefined && fault !== 'leave-after') return
    // A kept-alive connection would survive the end of the listener.
    if (fault === 'leave-after') response.shouldKeepAlive = false
    send(status, text)
    if (fault === 'leave-after') server.close()
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the pretended platform has no port')
  const origin = `http://127.0.0.1:${address.port}`
  const cdp = {
    origin,
    url: origin + base,
    /** One fault per coming call, taken from the front; calls after the end of the queue work. */
    faults: { verify: [] as Fault[], settle: [] as Fault[], supported: [] as Fault[] },
    /** The fault of every call while the queue is empty. */
    always: {} as Partial<Record<Operation, Fault>>,
    /** Calls that were accepted. */
    calls,
    /** Why other calls were refused. */
    refusals,
    /** The tokens of all requests so far, no two of which may be the same. */
    tokens: used,
    /** The `Authorization` headers of all requests so far. */
    authorizations,
    /** Stops accepting connections. */
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return cdp
}

export type PretendCdp = Awaited<ReturnType<typeof startPretendCdp>>
