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
import { openDesk } from '../support/tool-desk.ts'

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
  const make = async () => ({ body: new Uint8Array(productBytes).fill(0x61), mimeType: 'text/plain' })
  const shop = await openTestShop({ chain: pretendChain(clock), clock, make, productFolder })
  const { header, payload, payer } = await signPayment({ amount: 100_000n, token: 'mine' })
  const bought = await shop.buyLeaflet(header)
  expect([bought.status, (await bought.bytes()).byteLength]).toEqual([200, productBytes])
  return { shop, header, payload, payer, receiptId: bought.headers.get('x-receipt-id') ?? '' }
}

const toGet = (payment: string): string =>
  `GET ${leaflet.path} HTTP/1.1\r\nHost: farthing.test\r\nPAYMENT-SIGNATURE: ${payment}\r\n\r\n`

/** Asks and takes the first bytes of the answer, and then no more. */
async function fetchSlowly(port: number, asked: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.write(asked)
  await once(socket, 'readable')
  return String(socket.read(15))
}

/** How much more is held while all lines are at it. */
async function holdWhileSlow(answer: (request: Request) => Promise<Response>, asked: string): Promise<number> {
  const handle = toNodeHandle(answer)
  server.on('request', (req, res) => void handle(req, res, ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const before = heldBytes()
  for (let line = 0; line < lines; line++) expect(await fetchSlowly(port, asked)).toBe('HTTP/1.1 200 OK')
  return heldBytes() - before
}

it(`holds a large product once while one payment fetches it over ${lines} lines that do not move`, async () => {
  const { shop, header } = await sellIt()
  expect(await holdWhileSlow(shop.gateOf(leaflet), toGet(header))).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})

it(`holds it once, too, while its owner fetches it from the library over ${lines} such lines`, async () => {
  const { shop, header, payer: wallet, receiptId } = await sellIt()
  const deps = { db: shop.db, products: makeProductStore(productFolder), offers: [leaflet], findMake: () => undefined }
  const download = ({ signal }: Request) => fetchBought(deps, { wallet, receiptId, signal, noneMatch: null })
  expect(await holdWhileSlow(download, toGet(header))).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})

it(`holds it once, too, while it is read as a resource of the tools over ${lines} such lines, twice in each message`, async () => {
  const { shop, payload: payment } = await sellIt()
  const call = { arguments: {}, payment, signal: new AbortController().signal, requestId: 'a-request' }
  const [, link] = (await shop.toolOf(leaflet)(call)).content
  const { uri } = z.object({ uri: z.string() }).parse(link)
  const { mcp } = openDesk({ readPurchase: shop.payments.readPurchase })
  const ask = (id: number, name: string) => ({
    ...{ jsonrpc: '2.0', id, method: 'resources/read' },
    params: { uri: uri.replace(/[^/]+$/, name) },
  })
  // What is behind the token is the buyer's choice.
  const body = JSON.stringify([ask(1, 'a.txt'), ask(2, 'b.txt')])
  const head = `POST /api/mcp HTTP/1.1\r\nHost: press.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  expect(await holdWhileSlow((request) => mcp(request), `${head}\r\n\r\n${body}`)).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})
