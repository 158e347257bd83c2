import { once } from 'node:events'
import http, { type IncomingHttpHeaders as Headers, type IncomingMessage, type ServerResponse } from 'node:http'

type Stored = { status: number; headers: Headers; body: Buffer; freshUntil: number; asked: Headers }

/** RFC 9110, 15.1: statuses that a cache may store for a time of its choice without explicit freshness. */
const heuristic = new Set([200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501])
const heuristicSeconds = 60

const listOf = (value = ''): string[] => value.toLowerCase().split(/\s*,\s*/)

/** How long RFC 9111 allows a shared cache to store a response, in seconds; 0 if not at all. */
function lifetimeOf(asked: Headers, status: number, headers: Headers): number {
  const directives = new Map(listOf(headers['cache-control']).map((text) => [text.split('=')[0], text.split('=')[1]]))
  const seconds = (name: string) => (directives.has(name) ? Number(directives.get(name)) : undefined)
  const says = (...names: string[]) => names.some((name) => directives.has(name))
  if (says('no-store', 'private', 'no-cache') || headers.vary === '*') return 0
  if (listOf(asked['cache-control']).includes('no-store')) return 0
  if (asked.authorization !== undefined && !says('public', 'must-revalidate', 's-maxage')) return 0
  const expires = headers.expires === undefined ? undefined : (Date.parse(headers.expires) - Date.now()) / 1000
  const guess = says('public') || heuristic.has(status) ? heuristicSeconds : 0
  return seconds('s-maxage') ?? seconds('max-age') ?? expires ?? guess
}

/** A shared cache that stores everything that RFC 9111 allows, in front of a server on this machine. */
export async function startSharedCache(originPort: number) {
  const stored = new Map<string, Stored[]>()
  const server = http.createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/', headers } = request
    const known = stored.get(url) ?? []
    const isSame = ({ asked }: Stored) => Object.entries(asked).every(([name, value]) => headers[name] === value)
    const hit = known.find((entry) => entry.freshUntil > Date.now() && isSame(entry))
    if (hit && (method === 'GET' || method === 'HEAD')) {
      cache.hits += 1
      return response.writeHead(hit.status, { ...hit.headers, age: '1' }).end(method === 'HEAD' ? undefined : hit.body)
    }
    const forwarded = request.pipe(http.request({ host: '127.0.0.1', port: originPort, method, path: url, headers }))
    const [origin] = (await once(forwarded, 'response')) as [IncomingMessage]
    const body = Buffer.concat(await origin.toArray())
    const status = origin.statusCode ?? 0
    const freshUntil = Date.now() + 1000 * lifetimeOf(headers, status, origin.headers)
    const asked = Object.fromEntries(listOf(origin.headers.vary).map((name) => [name, headers[name]]))
    if (method === 'GET' && freshUntil > Date.now())
      stored.set(url, [...known, { status, headers: origin.headers, body, freshUntil, asked }])
    return response.writeHead(status, origin.headers).end(body)
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the cache has no port')
  const cache = { port: address.port, hits: 0, stored, close: () => server.close().closeAllConnections() }
  return cache
}
