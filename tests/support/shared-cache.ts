import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'

type Stored = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  freshUntil: number
  asked: IncomingHttpHeaders
}

/** RFC 9110, 15.1: may be kept, for a while of the cache's choosing, although nothing says for how long. */
const heuristic = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
const heuristicSeconds = 60

const listOf = (value = ''): string[] => value.toLowerCase().split(/\s*,\s*/)

/** How long RFC 9111 lets a shared cache keep an answer, in seconds; 0 when not at all. */
function lifetimeOf(asked: IncomingHttpHeaders, status: number, headers: IncomingHttpHeaders): number {
  const directives = new Map(listOf(headers['cache-control']).map((text) => text.split('=') as [string, string?]))
  const seconds = (name: string) => (directives.has(name) ? Number(directives.get(name)) : undefined)
  if (['no-store', 'private', 'no-cache'].some((name) => directives.has(name)) || headers.vary === '*') return 0
  if (listOf(asked['cache-control']).includes('no-store')) return 0
  const isForAll = ['public', 'must-revalidate', 's-maxage'].some((name) => directives.has(name))
  if (asked.authorization !== undefined && !isForAll) return 0
  const expires = headers.expires === undefined ? undefined : (Date.parse(headers.expires) - Date.now()) / 1000
  const guess = directives.has('public') || heuristic.has(status) ? heuristicSeconds : 0
  return seconds('s-maxage') ?? seconds('max-age') ?? expires ?? guess
}

/** The greediest shared cache that RFC 9111 allows, in front of a server on this machine. */
export async function startSharedCache(originPort: number) {
  const stored = new Map<string, Stored[]>()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const known = stored.get(url) ?? []
    const isSame = ({ asked }: Stored) => Object.entries(asked).every(([name, value]) => headers[name] === value)
    const hit = known.find((entry) => entry.freshUntil > Date.now() && isSame(entry))
    if (hit && (method === 'GET' || method === 'HEAD')) {
      cache.hits += 1
      return response.writeHead(hit.status, { ...hit.headers, age: '1' }).end(method === 'HEAD' ? undefined : hit.body)
    }
    const forwarded = request.pipe(send({ host: '127.0.0.1', port: originPort, method, path: url, headers }))
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await answer.toArray())
    const status = answer.statusCode ?? 0
    const freshUntil = Date.now() + 1000 * lifetimeOf(headers, status, answer.headers)
    const asked = Object.fromEntries(listOf(answer.headers.vary).map((name) => [name, headers[name]]))
    if (method === 'GET' && freshUntil > Date.now())
      stored.set(url, [...known, { status, headers: answer.headers, body, freshUntil, asked }])
    return response.writeHead(status, answer.headers).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the cache has no port')
  const cache = { port: address.port, hits: 0, stored, close: () => server.close().closeAllConnections() }
  return cache
}
