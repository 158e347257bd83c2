import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { makePeers } from '../../game-server/hosts/peers.ts'

it('keeps no more than a quarter of a megabyte for another host that has stopped reading, and gives its line up', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws' })
  server.on('connection', (socket) => socket.pause())
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const closed = Promise.withResolvers<number>()
  const line = await makePeers({ key: 'key', path: '/ws' }).open(`http://127.0.0.1:${port}`, '192.0.2.1', {
    hear: () => {},
    closed: closed.resolve,
  })
  if (!line) throw new Error('nobody opened')
  const frame = 'x'.repeat(1000)
  let isClosed = false
  void closed.promise.then(() => {
    isClosed = true
  })
  let sent = 0
  // What the system itself takes before it holds anything up is some megabytes.
  for (; sent < 50_000 && !isClosed; sent++) {
    line.send(frame)
    if (sent % 100 === 0) await setImmediate()
  }
  expect(sent).toBeLessThan(50_000)
  // No code that anybody said: whoever had the line is sent to come again.
  expect(await closed.promise).toBe(1006)
  for (const client of server.clients) client.terminate()
  server.close()
})
