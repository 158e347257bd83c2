import { type IncomingHttpHeaders, request } from 'node:http'

export interface Asked {
  readonly path: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Timeout of a request; only a hanging one takes this long. */
const patienceMs = 600_000
/** Number of client addresses, so that rate limits per address see many visitors. */
const addresses = 200
let asked = 0

/** The header by which the proxy names the client; the next address each time. */
export const fromSomewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++asked % addresses}` })

/**
 * Sends a request on a new connection, so that it cannot meet an idle one that is being closed; rejects when it breaks.
 */
export function ask(port: number, { path, method = 'GET', headers = {}, body }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const options = { host: '127.0.0.1', port, path, method, agent: false, signal: AbortSignal.timeout(patienceMs) }
    const asking = request({ ...options, headers: { ...fromSomewhere(), ...type, ...headers } }, (res) => {
      res
        .toArray()
        .then((chunks) => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }))
        .catch(reject)
    })
    asking.on('error', reject).end(body)
  })
}
