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

/** Only what hangs takes as long. */
const patienceMs = 600_000
/** How many different addresses visitors come from, so that limits per address see many people. */
const addresses = 200
let asked = 0

/** The header by which the proxy in front says who is there; another visitor each time. */
export const fromSomewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++asked % addresses}` })

/** Asks over a connection of its own, so that no idle one can be closed under a request; rejects when it breaks. */
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
