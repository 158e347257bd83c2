import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeGuardedServer } from '../../src/http/guarded-server.ts'
import { listen } from '../../src/http/listen.ts'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { makeSendProblem } from '../../src/http/send-problem.ts'
import { sendRaw } from '../support/raw-http.ts'

const baseUrl = 'http://farthing.test'
const security = makeSecurityHeaders(baseUrl)
const server = makeGuardedServer({
  security,
  sendProblem: makeSendProblem({ baseUrl, security }),
  route(req, res) {
    if (req.url === '/at-once') res.end('at once')
    else void text(req).then((body) => res.end(`${req.method} ${body}`))
  },
})
let port = 0
beforeAll(async () => {
  server.on('upgrade', (_req, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n'))
  port = (await listen(server, { host: '127.0.0.1', port: 0 })).port
})
afterAll(() => void server.close())

const ask = (upgrade: string, start = 'GET / HTTP/1.1', body = '') =>
  sendRaw(
    port,
    [
      start,
      'Host: farthing.test',
      'Connection: Upgrade, HTTP2-Settings, close',
      `Upgrade: ${upgrade}`,
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      `Content-Length: ${body.length}`,
      `\r\n${body}`,
    ].join('\r\n'),
  )

it('answers an unencrypted request that offers HTTP/2, as Java and curl do, even on a server with sockets', async () => {
  expect(await ask('h2c')).toMatchObject({ status: 200, body: 'GET ' })
  expect(await ask('h2c', 'POST /mcp HTTP/1.1', '{"id":1}')).toMatchObject({ status: 200, body: 'POST {"id":1}' })
})

it('opens a WebSocket for a request that asks for one, in any spelling and with other upgrade options', async () => {
  for (const upgrade of ['websocket', 'WebSocket', 'h2c, websocket']) expect((await ask(upgrade)).status).toBe(101)
})

it('responds to what it understood before it refuses what follows on the same connection', async () => {
  const asked = 'GET /at-once HTTP/1.1\r\nHost: farthing.test\r\n\r\n'
  for (const next of ['no request\r\n\r\n', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'])
    expect(await sendRaw(port, asked + next, { untilClosed: true })).toMatchObject({ status: 200, body: 'at once' })
})
