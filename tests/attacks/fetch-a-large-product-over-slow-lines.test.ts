import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { toNodeHandle } from '../../src/http/node-handle.ts'
import { heldBytes } from '../support/heap.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { leaflet, openTestShop } from '../support/test-shop.ts'

const productBytes = 24_000_000
const lines = 20

const server = createServer()
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** Asks with this payment and takes the first bytes of the answer, and then no more. */
async function fetchSlowly(port: number, payment: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.write(`GET ${leaflet.path} HTTP/1.1\r\nHost: farthing.test\r\nPAYMENT-SIGNATURE: ${payment}\r\n\r\n`)
  await once(socket, 'readable')
  return String(socket.read(15))
}

it(`holds a large product once while one payment fetches it over ${lines} lines that do not move`, async () => {
  const clock = { ms: Date.now() }
  const make = async () => ({ body: new Uint8Array(productBytes).fill(7), mimeType: 'text/plain' })
  const shop = await openTestShop({ chain: pretendChain(clock), clock, make })
  const { header } = await signPayment({ amount: 100_000n, token: 'mine' })
  const bought = await shop.buyLeaflet(header)
  expect([bought.status, (await bought.bytes()).byteLength]).toEqual([200, productBytes])

  const handle = toNodeHandle(shop.gateOf(leaflet))
  server.on('request', (req, res) => void handle(req, res, ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const before = heldBytes()
  for (let line = 0; line < lines; line++) expect(await fetchSlowly(port, header)).toBe('HTTP/1.1 200 OK')
  expect(heldBytes() - before).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})
