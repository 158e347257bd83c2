import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { PricedAsset } from '../../src/core/assets.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { usd } from '../../src/core/money.ts'
import type { Make } from '../../src/offers/make.ts'
import { defineOffer, NoInput, type Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { Asking } from '../../src/payments/block-list.ts'
import type { Ledger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import type { PaymentMeters } from '../../src/payments/meters.ts'
import { openPayments } from '../../src/payments/open-payments.ts'
import type { ReceiptSigner } from '../../src/payments/proof/receipt-signer.ts'
import type { TakePlace } from '../../src/payments/purchase/take-place.ts'
import type { Rail } from '../../src/payments/rails.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import type { PretendChain } from './pretend-chain.ts'
import { testPayTo } from './signed-payments.ts'
import { openTestLedger } from './test-databases.ts'
import { type Transport, toResponse, toToolPayment } from './tool-response.ts'

/** Texts that all products of these tests share. */
export const words = {
  lane: 'hostedApi',
  title: 'A test product',
  excerpt: 'Made for tests.',
  mimeType: 'text/plain',
  delivers: ['bytes'],
  fileName: 'test.txt',
  sample: 'a sample',
} as const

/** A product with a fixed price and no input. */
export const leaflet = defineOffer({
  ...words,
  id: 'leaflet',
  slug: 'leaflet',
  method: 'GET',
  path: '/leaflet',
  price: usd('0.10'),
  input: NoInput,
  example: {},
})

/** A product that is owned once bought: its bytes stay the same until it is changed. */
export const booklet = defineOffer({
  ...words,
  lane: 'content',
  id: 'booklet',
  slug: 'booklet',
  method: 'GET',
  path: '/booklet',
  price: usd('0.10'),
  input: NoInput,
  example: {},
})

/** A product whose price depends on the request body. */
export const bundle = defineOffer({
  ...words,
  id: 'bundle',
  slug: 'bundle',
  method: 'POST',
  path: '/bundle',
  price: {
    from: usd('0.06'),
    of: ({ pages }) => usd('0.05') + usd('0.01') * BigInt(pages.length),
    rule: '$0.05 and $0.01 per page',
    most: usd('0.10'),
  },
  input: z.strictObject({ pages: z.array(z.string().min(1)).min(1).max(5), note: z.string().default('none') }),
  example: { pages: ['one'] },
})

export interface TestShopOptions {
  /** The truthful double, or the services of a real chain. */
  chain: Pick<PretendChain, 'facilitator' | 'oracle'>
  clock: { ms: number }
  db?: LedgerDatabase
  make?: Make
  wrapLedger?: (ledger: Ledger) => Ledger
  productFolder?: string
  isOverloaded?: () => boolean
  isBlocked?: (asking: Asking) => boolean
  countAgainst?: (caller: string, cost: number) => void
  /** Serializes purchases with other shops on the same ledger. */
  takePlace?: TakePlace
  /** The transport for buying the leaflet unless a test says otherwise; HTTP when absent. */
  via?: Transport
  /** How long a purchase waits for the chain (ms); it looks once when absent. */
  settleWaitMs?: number
  payTo?: string
  /** The name of the shop. */
  shopName?: string
  /** Tokens that are accepted beside USDC. */
  also?: readonly PricedAsset[]
  /** The networks of those tokens that are not on Base. */
  others?: readonly Rail[]
  meters?: PaymentMeters
  /** Extra data about a product that a tool sells; none when absent. */
  advertiseTool?: (offer: Offer, tool: string) => Record<string, unknown>
  /** Signs receipts; there are none when absent. */
  signer?: ReceiptSigner
}

export const baseUrl = 'http://farthing.test'

/** The real gate, ledger and settlement with a truthful double of chain and facilitator. */
export async function openTestShop({
  chain,
  clock,
  make,
  wrapLedger,
  isOverloaded,
  isBlocked,
  takePlace,
  via = 'http',
  settleWaitMs = 0,
  payTo = testPayTo,
  shopName = 'Test',
  also = [],
  ...rest
}: TestShopOptions) {
  const db = rest.db ?? (await openTestLedger())
  // Its folder is created only when something large is stored, which few of the thousands of shops here do.
  const products = makeProductStore(rest.productFolder ?? join(tmpdir(), 'farthing-products', randomUUID()))
  const made = { count: 0 }
  const errors: string[] = []
  const events: string[] = []
  const lines: object[] = []
  const payments = openPayments({
    db,
    products,
    facilitator: chain.facilitator,
    oracle: chain.oracle,
    wallet: { payTo, asset: usdcAddress, also },
    baseUrl,
    shopName,
    secret: 'a secret of the tests that is long enough',
    advertise: () => ({}),
    log: (name, fields) => {
      events.push(name)
      lines.push({ event: name, ...fields })
      if (name === 'server.error') errors.push(JSON.stringify(fields))
    },
    settleWaitMs,
    now: () => clock.ms,
    // A real chain is polled often, but needs CPU time as well.
    sleep: (ms) => (settleWaitMs > 0 ? setTimeout(Math.min(ms, 40)) : Promise.resolve()),
    ...(rest.meters && { meters: rest.meters }),
    ...(rest.advertiseTool && { advertiseTool: rest.advertiseTool }),
    ...(rest.others && { others: rest.others }),
    ...(rest.signer && { signer: rest.signer }),
    ...(wrapLedger && { wrapLedger }),
    ...(isOverloaded && { isOverloaded }),
    ...(isBlocked && { isBlocked }),
    ...(rest.countAgainst && { countAgainst: rest.countAgainst }),
    ...(takePlace && { takePlace }),
  })
  const counted: Make = async (input, signal, paymentKey) => {
    made.count++
    return make ? make(input, signal, paymentKey) : textProduct(`made ${made.count} ${JSON.stringify(input)}`)
  }
  const handlers = { leaflet: payments.gate(leaflet, counted), bundle: payments.gate(bundle, counted) }
  const toolOf = (offer: Offer) => payments.toolGate(offer, offer.slug, counted)
  /** Returns a function that buys a product without input. */
  const buyerOf = (offer: Offer, by: Transport = via) => {
    const [gate, tool] = [payments.gate(offer, counted), toolOf(offer)]
    return async (header?: string, { signal }: { signal?: AbortSignal } = {}): Promise<Response> => {
      if (by === 'mcp') {
        const gone = signal ?? new AbortController().signal
        const call = { arguments: {}, payment: toToolPayment(header), signal: gone, requestId: 'a-request' }
        return toResponse(await tool(call))
      }
      const headers: HeadersInit = header ? { 'payment-signature': header } : {}
      return gate(new Request(baseUrl + offer.path, { headers, ...(signal && { signal }) }))
    }
  }
  const buyLeafletBy = { http: buyerOf(leaflet, 'http'), mcp: buyerOf(leaflet, 'mcp') }
  const buyBundle = (body: unknown, header?: string, headers: Record<string, string> = {}) =>
    handlers.bundle(
      new Request(`${baseUrl}/bundle`, {
        method: 'POST',
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers, ...(header && { 'payment-signature': header }) },
      }),
    )
  const sales = async () => {
    const rows = await db.selectFrom('sale').selectAll().execute()
    return { count: rows.length, total: rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n) }
  }
  return {
    db,
    payments,
    made,
    errors,
    /** The names of all logged events. */
    events,
    /** The logged events with their fields. */
    lines,
    buyLeaflet: buyLeafletBy[via],
    buyLeafletBy,
    buyBundle,
    buyerOf,
    toolOf,
    sales,
    gateOf: (offer: Offer) => payments.gate(offer, counted),
  }
}

export type TestShop = Awaited<ReturnType<typeof openTestShop>>

/** What a 402 offers, decoded from its header. */
export const readTerms = (response: Response) =>
  JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString())
