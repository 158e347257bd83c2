import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'

it('aborts the unread response of a storage if the listener has left meanwhile', async () => {
  const sound = Buffer.alloc(16 * 1024 * 1024)
  const answers: ServerResponse[] = []
  const server = createServer((_, res) => {
    answers.push(res)
    res.writeHead(200, { 'content-length': sound.length, etag: '"a"' }).end(sound)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = {
    ...{ bucket: 'press', prefix: '', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', isPathStyle: true },
    keys: () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
  }
  const store = openObjectStore(settings)
  for (let listener = 0; listener < 3; listener++) (await store.open('audio/a.mp3')).destroy()
  const isOver = () => answers.every(({ destroyed }) => destroyed)
  for (let waited = 0; waited < 3000 && !isOver(); waited += 50) await delay(50)
  expect(answers.map(({ destroyed, writableFinished }) => [destroyed, writableFinished])).toEqual(
    Array(3).fill([true, false]),
  )
  server.closeAllConnections()
  server.close()
})
