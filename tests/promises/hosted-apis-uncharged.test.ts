import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import makeBotCatalog from '../../functions/bot-catalog/make.ts'
import botCatalogOffer from '../../functions/bot-catalog/offer.ts'
import makeImage from '../../functions/image-generate/make.ts'
import imageOffer from '../../functions/image-generate/offer.ts'
import makePack from '../../functions/llms-pack/make.ts'
import packOffer from '../../functions/llms-pack/offer.ts'
import type { MakeContext } from '../../functions/make-context.ts'
import makeNarrate from '../../functions/narrate/make.ts'
import narrateOffer from '../../functions/narrate/offer.ts'
import makeSessionStatus from '../../functions/session-status/make.ts'
import sessionStatusOffer from '../../functions/session-status/offer.ts'
import { type Fetched, FetchFailed, type GuardedFetch } from '../../src/fetching/fetched.ts'
import type { Make } from '../../src/offers/make.ts'
import { advertisedPrice, type Offer } from '../../src/offers/offer.ts'
import { openImages } from '../../src/site/open-engines.ts'
import { openVoice } from '../../src/site/open-voice.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { openPretendMinimax } from '../support/pretend-minimax.ts'
import { htmlReply, type ProviderFault } from '../support/pretend-provider.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'

/** How the dependency that a product is made with fails: the provider, the web or the file. */
type Fault = 'throws' | 'hangs' | 'sends another type' | 'sends nothing'

let minimax: Awaited<ReturnType<typeof openPretendMinimax>>
let images: Awaited<ReturnType<typeof openImages>>
let voice: Awaited<ReturnType<typeof openVoice>>
let context: MakeContext
const closes: (() => Promise<void>)[] = []
const folder = mkdtempSync(join(tmpdir(), 'farthing-hosted-'))
const catalogFile = join(folder, 'bot-catalog.json')
const whole = '{"compiledAt":"2026-11-20","crawlers":[]}'
const web: { fault?: Fault | undefined } = {}

beforeAll(async () => {
  minimax = await openPretendMinimax()
  const choice = { is: 'minimax', baseUrl: minimax.url, groupId: undefined, key: () => minimax.key } as const
  images = openImages(choice, fetchOne, { log: () => {}, niceness: 0 })
  voice = await openVoice(choice, {
    dataDir: folder,
    baseUrl: 'http://farthing.test',
    log: () => {},
    niceness: () => 0,
  })
  writeFileSync(catalogFile, whole)
  context = {
    readPrivate: (name) => readFile(join(folder, name), 'utf8'),
    episodes: { find: () => undefined, findFile: () => undefined },
    crawlerFacts: async () => undefined,
    guardedFetch: fetchOne,
    images,
    speech: voice,
    skillUrls: new Map(),
    now: () => new Date(0),
    onClose: (close) => closes.push(close),
  }
})
afterAll(async () => {
  await images?.close()
  await voice?.close()
  for (const close of closes) await close()
  await minimax?.close()
  rmSync(folder, { recursive: true })
})

const page = (body: string | Uint8Array, type = 'text/html; charset=utf-8'): Fetched => ({
  url: 'https://example.com/',
  status: 200,
  headers: new Map([['content-type', type]]),
  body: Buffer.from(body),
  isCut: false,
  redirects: 0,
  durationMs: 1,
})
const fetchOne: GuardedFetch = async () => {
  switch (web.fault) {
    case 'throws':
      throw new Error('a socket that nobody foresaw')
    case 'hangs':
      return new Promise(() => {})
    case 'sends another type':
      return page(Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png')
    case 'sends nothing':
      throw new FetchFailed('unresolvable')
    case undefined:
      return page('<title>A page</title><main><h1>A page</h1><p>With a few words on it.</p></main>')
  }
}

const breakWeb = (fault: Fault | undefined) => {
  web.fault = fault
}
/** Queues each fault twice, because the provider is asked once more after an answer that is not a picture or sound. */
const breakProvider = (fault: Fault | undefined) => {
  const faults: Record<Fault, ProviderFault> = {
    throws: { is: 'cut' },
    hangs: { is: 'silence' },
    'sends another type': { is: 'instead', reply: htmlReply() },
    'sends nothing': { is: 'instead', reply: { body: '' } },
  }
  minimax.faults.length = 0
  if (fault) minimax.faults.push(faults[fault], faults[fault])
}
const breakFile = (fault: Fault | undefined) => {
  if (fault === 'throws') rmSync(catalogFile)
  else writeFileSync(catalogFile, fault === 'sends nothing' ? '' : whole)
}

interface Case {
  offer: Offer
  maker: (context: MakeContext) => Make
  breakIt: (fault: Fault | undefined) => void
  /** The faults that can occur: a file does not hang, and any content type that a site sends is a valid diagnosis. */
  faults: readonly Fault[]
}
const everyFault: readonly Fault[] = ['throws', 'hangs', 'sends another type', 'sends nothing']
const cases: readonly Case[] = [
  { offer: imageOffer, maker: makeImage, breakIt: breakProvider, faults: everyFault },
  { offer: narrateOffer, maker: makeNarrate, breakIt: breakProvider, faults: everyFault },
  { offer: botCatalogOffer, maker: makeBotCatalog, breakIt: breakFile, faults: ['throws', 'sends nothing'] },
  { offer: packOffer, maker: makePack, breakIt: breakWeb, faults: everyFault },
  {
    offer: sessionStatusOffer,
    maker: makeSessionStatus,
    breakIt: breakWeb,
    faults: ['throws', 'hangs', 'sends nothing'],
  },
]

let narrations = 0
/** A new text each time: a text that was spoken before comes from the cache, whatever the provider does. */
const inputFor = (offer: Offer): object => {
  if (offer.id !== narrateOffer.id) return offer.example
  narrations += 1
  return { text: `This is the narration with the number ${narrations}.` }
}

/**
 * The product behind the real gate, over doubles of chain and facilitator that tell the truth; `buyWith` sets its
 * deadline.
 */
async function open(
  { offer, maker }: Pick<Case, 'offer' | 'maker'>,
  state: { isDiskFull: boolean } = { isDiskFull: false },
) {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const make = maker(context)
  const shop = await openTestShop({
    chain,
    clock,
    make,
    wrapLedger: (ledger) => ({
      ...ledger,
      async keepForSettlement(...given) {
        if (state.isDiskFull) throw new Error('SQLITE_FULL: database or disk is full')
        return ledger.keepForSettlement(...given)
      },
    }),
  })
  const input = inputFor(offer)
  const buyWith = (header: string, workSeconds: number) => {
    const isGet = offer.method === 'GET'
    const init = isGet ? {} : { method: 'POST', body: JSON.stringify(input) }
    const headers = { 'payment-signature': header, ...(!isGet && { 'content-type': 'application/json' }) }
    return shop.gateOf({ ...offer, workSeconds })(
      new Request(`http://farthing.test${offer.path}`, { ...init, headers }),
    )
  }
  const amount =
    typeof offer.price === 'bigint' ? advertisedPrice(offer) : offer.price.of(offer.input.parse(offer.example))
  return { ...shop, chain, buyWith, header: (await signPayment({ amount })).header }
}
type Opened = Awaited<ReturnType<typeof open>>

async function expectUncharged({ chain, db }: Opened, failed: Response, statuses: readonly number[]) {
  const problem = await failed.json()
  expect([statuses.includes(failed.status), problem.charged, chain.calls.settle]).toEqual([true, false, 0])
  expect(await db.selectFrom('sale').selectAll().execute()).toEqual([])
}

async function expectSoldOnce({ chain, sales, buyWith, header }: Opened) {
  const bought = await buyWith(header, 60)
  const bytes = await bought.arrayBuffer()
  expect([bought.status, bytes.byteLength > 0]).toEqual([200, true])
  expect([chain.calls.transfers, (await sales()).count]).toEqual([1, 1])
}

describe.each(cases.map((one) => [one.offer.path, one] as const))('%s', (_, { breakIt, faults, ...product }) => {
  it.each(faults)('costs nothing when its dependency %s, and the same signature buys it afterwards', async (fault) => {
    const shop = await open(product)
    breakIt(fault)
    try {
      const failed = await shop.buyWith(shop.header, fault === 'hangs' ? 1 : 60)
      await expectUncharged(shop, failed, [502])
    } finally {
      breakIt(undefined)
    }
    await expectSoldOnce(shop)
  })

  it('costs nothing when the disk is full, and the same signature buys it afterwards', async () => {
    const state = { isDiskFull: true }
    const shop = await open(product, state)
    await expectUncharged(shop, await shop.buyWith(shop.header, 60), [503])
    state.isDiskFull = false
    await expectSoldOnce(shop)
  })
})
