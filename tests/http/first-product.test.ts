import { cpSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArguments } from '../../src/buyer/read-arguments.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { toCatalog } from '../../src/discovery/catalog.ts'
import { toPaidTool } from '../../src/mcp/tool-shelf.ts'
import { findMaker, findProducts } from '../../src/offers/find-products.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { toOffers } from '../../src/offers/products.ts'
import { toOpenApi } from '../../src/openapi/openapi.ts'
import { openChainShop } from '../support/chain-shop.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openProductTree } from '../support/product-tree.ts'
import { sampleShop, sampleSkill } from '../support/sample-shop.ts'
import { payingFetch } from '../support/stock-client.ts'
import { baseUrl } from '../support/test-shop.ts'

const walk = readFileSync('docs/your-first-product.md', 'utf8')
const files = Object.fromEntries(
  [...walk.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs)].map(([, path = '', code = '']) => [path, code]),
)
const [, command = ''] = /^npm run buy -- (.*)$/m.exec(walk) ?? []

const tree = openProductTree(files)
let money: RunningMoney
let offers: readonly Offer[]
let offer: Offer
beforeAll(async () => {
  cpSync('functions', tree.functions, { recursive: true })
  money = await startMoney()
  offers = toOffers(await findProducts(tree.functions), [sampleSkill('skill-a')])
  const found = offers.find(({ slug }) => slug === 'broadside')
  if (!found) throw new Error('the folder of the walk-through was not found')
  offer = found
})
afterAll(async () => {
  await money?.stop()
  tree.close()
})

it('the walk-through fits a screen or two, and its folder is all that it adds', () => {
  expect(walk.split('\n').length).toBeLessThanOrEqual(61)
  expect(Object.keys(files)).toEqual(['functions/broadside/offer.ts', 'functions/broadside/make.ts'])
})

it('its product is in the catalog, in OpenAPI and among the tools, with its price', () => {
  const { hostedApis, counts } = toCatalog(offers, sampleShop)
  expect(counts.total).toBe(offers.length)
  expect(hostedApis.at(-1)).toMatchObject({
    slug: 'broadside',
    price: '$0.02',
    bodyShape: { text: expect.any(String) },
  })
  const { paths } = toOpenApi(offers, sampleShop)
  expect(paths).toMatchObject({ '/api/x402/broadside': { post: { operationId: 'broadside', tags: ['hostedApi'] } } })
  expect(toPaidTool(offer)).toMatchObject({ name: 'broadside', price: '$0.02' })
})

it('the command at its end buys on a real chain what the sample shows', async () => {
  const maker = await findMaker(tree.functions, offer.slug)
  const shop = await openChainShop(money, { make: maker({}, offer) })
  const gate = shop.gateOf(offer)
  const buy = payingFetch(sandboxAccounts.buyer.privateKey, (...request) => gate(new Request(...request)))
  const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
  const read = readArguments(words, undefined)
  if (read === 'help' || read.body === undefined) throw new Error('the command buys nothing')
  const bought = await buy(baseUrl + read.url.pathname, {
    method: read.method,
    headers: { 'content-type': 'application/json' },
    body: read.body,
  })
  expect([bought.status, await bought.text()]).toEqual([200, offer.sample])
  expect(await money.transfersTo()).toMatchObject([{ value: 20_000n }])
})
