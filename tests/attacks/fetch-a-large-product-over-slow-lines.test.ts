import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { toNodeHandle } from '../../src/http/node-handle.ts'
import { toToolName } from '../../src/mcp/tool-shelf.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { fetchBought } from '../../src/owners/fetch-bought.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { heldBytes } from '../support/heap.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { baseUrl, leaflet, openTestShop } from '../support/test-shop.ts'
import { deskUrl, openDesk } from '../support/tool-desk.ts'

/** A product that a tool result contains in full. */
const picture: Offer = { ...leaflet, mimeType: 'image/jpeg' }
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
  // Otherwise the next test would count the memory that these responses still hold.
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
  await rm(productFolder, { recursive: true })
})

/** A shop where one payment has bought a large product. */
async function sellIt(offer: Offer = leaflet, product: number | string = productBytes) {
  const body = typeof product === 'string' ? Buffer.from(product) : new Uint8Array(product).fill(0x61)
  const clock = { ms: Date.now() }
  const make = async () => ({ body, mimeType: offer.mimeType })
  const shop = await openTestShop({ chain: pretendChain(clock), clock, make, productFolder })
  const { header, payload, payer } = await signPayment({ amount: 100_000n, token: 'mine' })
  const asked = new Request(`${baseUrl}${offer.path}`, { headers: { 'payment-signature': header } })
  const bought = await shop.gateOf(offer)(asked)
  expect([bought.status, (await bought.bytes()).byteLength]).toEqual([200, body.byteLength])
  return { shop, header, payload, payer, receiptId: bought.headers.get('x-receipt-id') ?? '' }
}

const toGet = (payment: string): string =>
  `GET ${leaflet.path} HTTP/1.1\r\nHost: farthing.test\r\nPAYMENT-SIGNATURE: ${payment}\r\n\r\n`

const toInit = (messages: readonly object[]) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(messages),
})
function toPost(messages: readonly object[]): string {
  const { body } = toInit(messages)
  const head = ['POST /api/mcp HTTP/1.1', 'Host: press.test', 'Content-Type: application/json']
  return `${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Sends a request, reads the first bytes of the response, and then stops reading. */
async function fetchSlowly(port: number, asked: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.write(asked)
  await once(socket, 'readable')
  return String(socket.read(15))
}

/** How many more bytes are held while all lines have begun to read their response and do not go on. */
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

it(`holds a large product once while its owner fetches it from the library over ${lines} such lines`, async () => {
  const { shop, header, payer: wallet, receiptId } = await sellIt()
  const deps = {
    ...shop.payments.forLibrary,
    ...{ db: shop.db, products: makeProductStore(productFolder), offers: [leaflet], findMake: () => undefined },
  }
  const download = ({ signal }: Request) => fetchBought(deps, { wallet, receiptId, signal, noneMatch: null })
  expect(await holdWhileSlow(download, toGet(header))).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})

it(`holds a large product once while it is read as a resource of the tools over ${lines} such lines, twice in each message`, async () => {
  const { shop, payload: payment } = await sellIt()
  const call = { arguments: {}, payment, signal: new AbortController().signal, requestId: 'a-request' }
  const [, link] = (await shop.toolOf(leaflet)(call)).content
  const { uri } = z.object({ uri: z.string() }).parse(link)
  const { mcp } = openDesk({ readPurchase: shop.payments.readPurchase })
  const ask = (id: number, name: string) => ({
    ...{ jsonrpc: '2.0', id, method: 'resources/read' },
    params: { uri: uri.replace(/[^/]+$/, name) },
  })
  // The buyer chooses the name behind the token in the address, so two addresses can name one purchase.
  const asked = toPost([ask(1, 'a.txt'), ask(2, 'b.txt')])
  expect(await holdWhileSlow((request) => mcp(request), asked)).toBeLessThan(3 * productBytes)
  await shop.db.destroy()
})

it(`holds a picture once while one payment fetches it by a tool over ${lines} such lines, six times in each message`, async () => {
  const bytes = 4_000_000
  const { shop, payload } = await sellIt(picture, bytes)
  const { mcp } = openDesk({ offers: [picture], sell: (offer) => shop.toolOf(offer) })
  const params = { name: toToolName(picture), arguments: { slug: picture.slug }, _meta: { 'x402/payment': payload } }
  const calls = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  const [first] = await (await mcp(new Request(`${deskUrl}/api/mcp`, toInit(calls)))).json()
  const [part] = first.result.content
  expect([part.type, Buffer.from(part.data, 'base64').byteLength]).toEqual(['image', bytes])
  expect(await holdWhileSlow((request) => mcp(request), toPost(calls))).toBeLessThan(12 * bytes)
  await shop.db.destroy()
})

it.each([
  ['a text', { ...leaflet, mimeType: 'text/plain' }, () => 'a'.repeat(32_000)],
  ['an object', { ...leaflet, mimeType: 'application/json' }, () => JSON.stringify({ a: 'b'.repeat(30_000) })],
])(`holds %s once, too, over ${lines} such lines, twenty times in each message`, async (_, offer, write) => {
  const text = write()
  const { shop, payload } = await sellIt(offer, text)
  const { mcp } = openDesk({ offers: [offer], sell: (sold) => shop.toolOf(sold) })
  const params = { name: toToolName(offer), arguments: { slug: offer.slug }, _meta: { 'x402/payment': payload } }
  const calls = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  const answers = await (await mcp(new Request(`${deskUrl}/api/mcp`, toInit(calls)))).json()
  for (const { result } of answers) {
    expect(result.content[0].text).toBe(text)
    expect(result.structuredContent).toEqual(offer.mimeType === 'text/plain' ? undefined : JSON.parse(text))
  }
  // With a copy for each message, every line would hold twenty texts, or forty for an object.
  expect(await holdWhileSlow((request) => mcp(request), toPost(calls))).toBeLessThan(lines * 8 * text.length)
  await shop.db.destroy()
})

it(`holds a free document once while it is read as a resource over ${lines} such lines, twenty times in each message`, async () => {
  const text = `"é"${'a'.repeat(100_000)}`
  const { mcp } = openDesk({ library: { posts: [], skills: [], find: async () => text } })
  const params = { uri: `${deskUrl}/api/catalog.json` }
  const reads = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'resources/read', params }))
  const answers = await (await mcp(new Request(`${deskUrl}/api/mcp`, toInit(reads)))).json()
  for (const { result } of answers) expect(result.contents[0].text).toBe(text)
  expect(await holdWhileSlow((request) => mcp(request), toPost(reads))).toBeLessThan(lines * 8 * text.length)
})
