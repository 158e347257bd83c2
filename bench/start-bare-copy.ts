import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'
import { startPeer } from './start-peer.ts'

/** Headers that depend on the connection or the time; Node writes them itself. */
const ofTheMoment = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** Starts a bare `node:http` server that always sends the present response of `url`: same status, headers and body. */
export async function startBareCopy(bench: Bench, url: string): Promise<Server> {
  const answer = await get(url)
  const kept = Object.entries(answer.headers).filter(([name]) => !ofTheMoment.has(name))
  const options = { ...answer, headers: Object.fromEntries(kept) }
  return startPeer(bench, new URL('peers/bare-http.ts', import.meta.url), options)
}

/** Requests `url` without the headers that `fetch` adds, so that the response is the same as under load. */
function get(url: string): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false }, (response) => {
      const { statusCode = 0, headers } = response
      const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
      text(response).then((body) => resolve({ status: statusCode, headers: Object.fromEntries(flat), body }), reject)
    })
    sent.on('error', reject).end()
  })
}
