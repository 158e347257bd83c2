import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Peer, startPeer } from './start-peer.ts'

/** Headers that belong to a connection or a moment; Node writes them itself. */
const ofTheMoment = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** Starts a bare `node:http` server that answers everything as `url` is answered now: same status, headers and body. */
export async function startBareCopy(url: string): Promise<Peer> {
  const { status, headers, body } = await get(url)
  const kept = Object.entries(headers).filter(([name]) => !ofTheMoment.has(name))
  return startPeer(new URL('peers/bare-http.ts', import.meta.url), { status, headers: Object.fromEntries(kept), body })
}

/** Without the headers that `fetch` adds, so that the answer is the one that the load will get. */
function get(url: string): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false }, (response) => {
      const { statusCode = 0, headers } = response
      const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
      buffer(response).then(
        (body) => resolve({ status: statusCode, headers: Object.fromEntries(flat), body: body.toString('utf8') }),
        reject,
      )
    })
    sent.on('error', reject).end()
  })
}
