import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { gameName, type RunningProxy, siteName } from './deployed-proxies.ts'
import { openSocket, type SocketClient } from './socket-client.ts'

const trust = ({ ca }: RunningProxy, servername: string) => ({ servername, ca: ca() })

/**
 * A fetch whose requests go through the proxy over TLS, with the host name of their URL.
 *
 * @param from address of this machine that the request comes from
 */
export const fetchThrough =
  (proxy: RunningProxy, from = '127.0.0.1'): typeof fetch =>
  async (input, init) => {
    const asked = new Request(input, init)
    const { hostname, pathname, search } = new URL(asked.url)
    const request = requestHttps({
      ...trust(proxy, hostname),
      host: '127.0.0.1',
      port: proxy.port,
      localAddress: from,
      agent: false,
      method: asked.method,
      path: pathname + search,
      // The port is included, as clients do for a host on another port than the usual one.
      headers: { ...Object.fromEntries(asked.headers), host: `${hostname}:${proxy.port}` },
    })
    request.end(Buffer.from(await asked.arrayBuffer()))
    const [answer] = await once(request, 'response')
    const headers = new Headers()
    for (const [name, value] of Object.entries<string | string[]>(answer.headers))
      for (const each of [value].flat()) headers.append(name, each)
    const body = await buffer(answer)
    return new Response([204, 304].includes(answer.statusCode) ? null : body, { status: answer.statusCode, headers })
  }

/** Opens a WebSocket of the game through the proxy. */
export const openSocketThrough = (proxy: RunningProxy): Promise<SocketClient> =>
  openSocket(`wss://127.0.0.1:${proxy.port}/ws`, {
    ...trust(proxy, gameName),
    headers: { host: `${gameName}:${proxy.port}` },
  })

/** The status of a page of the site over HTTP/2. */
export async function askByHttp2(proxy: RunningProxy, path: string): Promise<number | undefined> {
  const session = connectHttp2(`https://127.0.0.1:${proxy.port}`, trust(proxy, siteName))
  const stream = session.request({ ':path': path, ':authority': `${siteName}:${proxy.port}` })
  stream.end()
  const [headers] = await once(stream, 'response')
  stream.resume()
  await once(stream, 'close')
  session.close()
  return headers[':status']
}

/** The size of a response's headers in bytes, as sent in HTTP/1.1. */
export const headerBytes = (answer: Response): number =>
  [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
