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

/** A line to another host, which is there and does no more than the sockets themselves. */
async function openLine({ autoPong = true } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws', autoPong })
  servers.push(server)
  // What comes after the answer to a ping says that the answer has come.
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

it('keeps no more than a quarter of a megabyte for another host that has stopped reading, and gives its line up', async () => {
  const { server, line, closed } = await openLine()
  for (const client of server.clients) client.pause()
  const frame = 'x'.repeat(1000)
  let isClosed = false
  void closed.then(() => {
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
  expect(await closed).toBe(1006)
})

it('gives a line up within fifteen seconds to a host that stands still or has lost its power, and none because of its own standstill', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const [living, still] = [await openLine(), await openLine({ autoPong: false })]
  let isLost = false
  void living.closed.then(() => {
    isLost = true
  })
  // Nothing is read between the first two looks.
  vi.advanceTimersByTime(10_000)
  await expect.poll(() => living.heard).toHaveLength(2)
  vi.advanceTimersByTime(5000)
  await expect.poll(() => living.heard).toHaveLength(3)
  expect(await still.closed).toBe(1006)
  expect(isLost).toBe(false)
})
