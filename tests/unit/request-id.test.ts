import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../src/http/listen.ts'
import { giveRequestId, requestIdOf } from '../../src/http/request-id.ts'

const server = createServer((req, res) => {
  giveRequestId(req)
  const at = req.rawHeaders.indexOf('x-request-id')
  const named = req.rawHeaders.filter((text) => text.toLowerCase() === 'x-request-id')
  res.end(JSON.stringify({ id: requestIdOf(req), raw: req.rawHeaders[at + 1], times: named.length }))
})
afterAll(() => server.close())

it.each(['x-request-id', 'X-Request-ID'])('is ours, whatever a client sends as %s', async (name) => {
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  const sent = request({
    port,
    agent: false,
    headers: [name, 'theirs', 'Host', 'site.test', name, 'theirs, too'],
  }).end()
  const [response] = await once(sent, 'response')
  const { id, raw, times } = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8'))
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect([raw, times]).toEqual([id, 1])
  server.close()
})
