import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { APIContext } from 'astro'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { freeDocument } from '../../src/endpoints/free-document.ts'
import { served } from '../../src/endpoints/served.ts'
import { toNodeHandle } from '../../src/http/node-handle.ts'
import { heldBytes } from '../support/heap.ts'

const lines = 20
/** The size in bytes of a feed of some thousand narrations, which is made anew for each request. */
const documentBytes = 6_000_000

let server: Server
const sockets: Socket[] = []
beforeEach(() => {
  server = createServer()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

it(`holds a long document once while it is read over ${lines} lines that do not move`, async () => {
  const feed = freeDocument(served('/podcast.xml'), async () => 'é'.repeat(documentBytes / 2))
  const toContext = z.custom<APIContext>(() => true)
  const handle = toNodeHandle(async (request) => feed(toContext.parse({ request })))
  server.on('request', (req, res) => void handle(req, res, ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())

  const before = heldBytes()
  for (let line = 0; line < lines; line++) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.write('GET /podcast.xml HTTP/1.1\r\nHost: farthing.test\r\n\r\n')
    await once(socket, 'readable')
    expect(String(socket.read(15))).toBe('HTTP/1.1 200 OK')
  }
  expect(heldBytes() - before).toBeLessThan(4 * documentBytes)

  const whole = await fetch(`http://127.0.0.1:${port}/podcast.xml`)
  const text = await whole.text()
  expect([whole.headers.get('content-length'), text.length, text.at(-1)]).toEqual([
    `${documentBytes}`,
    documentBytes / 2,
    'é',
  ])
})
