import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { toNodeHandle } from '../../src/http/node-handle.ts'
import { fetchBought } from '../../src/owners/fetch-bought.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { heldBytes } from '../support/heap.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { leaflet, openTestShop } from '../support/test-shop.ts'

const productBytes = 24_000_000
const lines = 20

let productFolder: string
let server: Server
const sockets: Socket[] = []
beforeEach(async () => {
  productFolder = await mkdtemp(join(tmpdir(), 'large-product-'))
  server = createServer()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  await rm(productFolder, { recursive: true })
})

/** A shop where one payment has bought what is large. */
async function sellIt() {
  const clock = { ms: Date.now() }
  const make = async () => ({ body: new Uint8Array(productBytes).fill(7), mimeType: 'text/plain' })
  const shop = await openTestShop({ chain: pretendChain(clock), clock, make, productFolder })
  const { header, payer } = await signPayment({ amount: 100_000n, token: 'mine' })
  const bought = await shop.buyLeaflet(header)
  expect([bought.status, (await bought.bytes()).byteLength]).toEqual([200, productBytes])
  return { shop, header, payer, receiptId: bought.headers.get('x-receipt-id') ?? '' }
}

/** Asks with this payment and takes the first bytes of the answer, and then no more. */
async function fetchSlowly(port: number, payment: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.write(`GET ${leaflet.path} HTTP/1.1\r\nHost: farthing.test\r\nPAYMENT-SIGNATURE: ${payment}\r\n\r\n`)
  await once(socket, 'readable')
  return String(socket.read(15))
}

/** How much more is held while all lines are at it. */
async function holdWhileSlow(answer: (request: Request) => Promise<Response>, payment: string): Promise<number> {
  const handle = toNodeHandle(answer)
  server.on('request', (req, res) => void handle(req, res, ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const before = heldBytes()
  for (let line = 0; line < lines; line++) expect(await fetchSlowly(port, payment)).toBe('HTTP/1.1 200 OK')
  return heldBytes() - before
}

it(`holds a large product once while one payment fetches it over ${lines} lines that do not move`, async () => {
  const { shop, header } = await sellIt()
  expect(await holdWhileSlow(shop.gateOf(leaflet), header)).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})

it(`holds it once, too, while its owner fetches it from the library over ${lines} such lines`, async () => {
  const { shop, header, payer: wallet, receiptId } = await sellIt()
  const deps = { db: shop.db, products: makeProductStore(productFolder), offers: [leaflet], findMake: () => undefined }
  const download = ({ signal }: Request) => fetchBought(deps, { wallet, receiptId, signal, noneMatch: null })
  expect(await holdWhileSlow(download, header)).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})
