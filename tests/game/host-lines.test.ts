import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { makePeers } from '../../game-server/hosts/peers.ts'

const servers: WebSocketServer[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

/** A connection to another host, which is only a bare WebSocket server. */
async function openLine({ autoPong = true } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws', autoPong })
  servers.push(server)
  // A message that follows the pong tells that the pong has arrived.
  if (autoPong) server.on('connection', (socket) => socket.on('ping', () => socket.send('answered')))
  const heard: string[] = []
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const closed = Promise.withResolvers<number>()
  const line = await makePeers({ key: 'key', path: '/ws' }).open(`http://127.0.0.1:${port}`, '192.0.2.1', {
    hear: (frame) => heard.push(frame),
    closed: closed.resolve,
  })
  if (!line) throw new Error('nobody opened')
  return { server, line, heard, closed: closed.promise }
}

it('buffers no more than a quarter of a megabyte for another host that has stopped reading, and closes the connection', async () => {
  const { server, line, closed } = await openLine()
  for (const client of server.clients) client.pause()
  const frame = 'x'.repeat(1000)
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  let sent = 0
  // The system itself buffers some megabytes before it blocks.
  for (; sent < 50_000 && !isClosed; sent++) {
    line.send(frame)
    if (sent % 100 === 0) await setImmediate()
  }
  expect(sent).toBeLessThan(50_000)
  // The socket is dropped without a close code, so that its client is told to connect again.
  expect(await closed).toBe(1006)
})

it('closes the connection to a stalled or unplugged host within fifteen seconds, and none when it stalled itself', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const [living, still] = [await openLine(), await openLine({ autoPong: false })]
  let isLost = false
  void living.closed.then(() => {
    isLost = true
  })
  // Nothing is read between the first two checks.
  vi.advanceTimersByTime(10_000)
  await expect.poll(() => living.heard).toHaveLength(2)
  vi.advanceTimersByTime(5000)
  await expect.poll(() => living.heard).toHaveLength(3)
  expect(await still.closed).toBe(1006)
  expect(isLost).toBe(false)
})
