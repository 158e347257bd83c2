import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { encodeFunctionData, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { testUsdc } from '../../src/core/assets.ts'
import { usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { base, baseSepolia } from '../../src/core/networks.ts'
import { makeChainChecks, makeFacilitatorChecks, makeOtherChecks } from '../../src/health/open-health.ts'
import { toMetricsText } from '../../src/metrics/metric.ts'
import { makePaymentMetrics } from '../../src/metrics/payment-metrics.ts'
import { readNewestSales } from '../../src/operator/payment-states.ts'
import { recordRefund } from '../../src/operator/refunds.ts'
import { readSales } from '../../src/operator/sales-report.ts'
import { writeTaxCsv } from '../../src/operator/tax-csv.ts'
import { findBought } from '../../src/owners/bought.ts'
import { makeFindRefund } from '../../src/payments/chain/find-refund.ts'
import type { Rail } from '../../src/payments/rails.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { makeSalesStatistics } from '../../src/stats/sales-statistics.ts'
import { makeAlteredBuilds } from '../support/altered-builds.ts'
import { openChainServices, openChainShop } from '../support/chain-shop.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { type FaultyRpc, startFaultyRpc } from '../support/faulty-rpc.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { deployFactory, makeKeyWallet } from '../support/key-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { type PaymentWish, signPayment } from '../support/signed-payments.ts'
import { booklet, leaflet, readTerms, type TestShop, type TestShopOptions } from '../support/test-shop.ts'

const also = [{ ...testUsdc, perUsd: 1_000_000n }]
const price = { amount: 100_000n, payTo: sandboxPayTo }
/** The same price on either network. */
const onBase: PaymentWish = price
const onTest: PaymentWish = { ...price, asset: testUsdc }
const oneSale = 100_000n

let main: RunningMoney
let other: RunningMoney
let faulty: FaultyFacilitator
let rpc: FaultyRpc
let rail: Rail
let shop: TestShop
beforeAll(async () => {
  ;[main, other] = await Promise.all([startMoney(), startMoney({ network: baseSepolia })])
  faulty = await startFaultyFacilitator({ upstreamUrl: other.facilitatorUrl })
  rpc = await startFaultyRpc(other.rpcUrl)
  rail = { network: baseSepolia.id, ...openChainServices({ rpcUrl: rpc.url, facilitatorUrl: faulty.url }) }
  shop = await openShop()
})
afterAll(async () => {
  await faulty?.close()
  await rpc?.close()
  await Promise.all([main?.stop(), other?.stop()])
})

const openShop = (options: Partial<TestShopOptions> = {}) =>
  openChainShop(main, { also, others: [rail], settleWaitMs: 1500, ...options })

/** The result of some work, and what was received meanwhile on each of the two chains. */
async function received<Result>(work: () => Promise<Result>): Promise<[Result, bigint, bigint]> {
  const balances = () => Promise.all([main, other].map(({ balanceOf }) => balanceOf(sandboxPayTo)))
  const [before = 0n, elsewhere = 0n] = await balances()
  const result = await work()
  const [after = 0n, there = 0n] = await balances()
  return [result, after - before, there - elsewhere]
}
const buy = async (wish: PaymentWish, { at = shop, offer = undefined as typeof booklet | undefined } = {}) => {
  const { header } = await signPayment(wish)
  const response = await (offer ? at.buyerOf(offer) : at.buyLeaflet)(header)
  const { error } = response.status === 402 ? readTerms(response) : {}
  return {
    ...{ status: response.status, error, header },
    charged: response.headers.get('x-charged'),
    receipt: response.headers.get('x-receipt-id') ?? '',
    settled: readSettled(response),
    text: await response.text(),
  }
}
const readSettled = ({ headers }: Response) =>
  JSON.parse(Buffer.from(headers.get('payment-response') ?? 'bnVsbA==', 'base64').toString())

it('offers Base first, and each token with its network and the name that it is signed for', async () => {
  expect(readTerms(await shop.buyLeaflet()).accepts).toMatchObject([
    { network: base.id, asset: usdcAddress, amount: '100000', extra: usdcDomain, payTo: sandboxPayTo },
    { network: baseSepolia.id, asset: testUsdc.address, amount: '100000', extra: { name: 'USDC', version: '2' } },
  ])
})

it('settles a payment on its own network and not on the other, and says which', async () => {
  const first = await received(() => buy(onBase))
  expect(first).toMatchObject([{ status: 200, settled: { success: true, network: base.id } }, oneSale, 0n])
  const second = await received(() => buy(onTest))
  expect(second).toMatchObject([{ status: 200, settled: { success: true, network: baseSepolia.id } }, 0n, oneSale])
  expect(await shop.payments.receipts.find(first[0].receipt)).not.toHaveProperty('testMoney')
  expect(await shop.payments.receipts.find(second[0].receipt)).toMatchObject({
    ...{ network: baseSepolia.id, asset: testUsdc.address, amountUnits: '100000', testMoney: true },
  })
})

it('sells to the stock client on whichever network it speaks', async () => {
  for (const [network, ...moved] of [
    [base.id, oneSale, 0n],
    [baseSepolia.id, 0n, oneSale],
  ] as const) {
    const client = new x402Client().register(
      network,
      new ExactEvmScheme(privateKeyToAccount(sandboxAccounts.buyer.privateKey)),
    )
    const pay = wrapFetchWithPayment((input, init) => {
      const request = new Request(input, init)
      return shop.buyLeaflet(request.headers.get('payment-signature') ?? undefined)
    }, client)
    const [response, ...received2] = await received(() => pay('http://farthing.test/leaflet'))
    expect([response.status, readSettled(response).network, ...received2]).toEqual([200, network, ...moved])
  }
})

it('takes one nonce on two networks for two payments, and each of them once', async () => {
  const nonce = `0x${'7'.repeat(64)}` as const
  const [headers, ...once] = await received(async () =>
    Promise.all([onBase, onTest].map(async (wish) => (await buy({ ...wish, nonce, token: 'a-token' })).header)),
  )
  expect(once).toEqual([oneSale, oneSale])
  const [again, ...nothing] = await received(() => Promise.all(headers.map((header) => shop.buyLeaflet(header))))
  expect([again.map(({ status }) => status), nothing]).toEqual([
    [200, 200],
    [0n, 0n],
  ])
})

it.each([
  ['signed for the other chain', { ...onTest, signedFor: base.id }],
  ['signed for Base Sepolia and shown as one on Base', { ...onBase, signedFor: baseSepolia.id }],
  ['in the USDC of Base, on Base Sepolia', { ...onTest, asset: { ...testUsdc, address: usdcAddress } }],
  ['in the USDC of Base Sepolia, on Base', { ...onBase, asset: { ...testUsdc, network: base.id } }],
  ['under the name that USDC has on Base', { ...onTest, asset: { ...testUsdc, domain: usdcDomain } }],
] satisfies [string, PaymentWish][])('refuses a payment %s, and charges nothing', async (_, wish) => {
  expect(await received(() => buy(wish))).toMatchObject([{ status: 402 }, 0n, 0n])
})

it('refuses a network that the operator does not take', async () => {
  const plain = await openChainShop(main)
  expect(readTerms(await plain.buyLeaflet()).accepts).toHaveLength(1)
  const refused = await received(() => buy(onTest, { at: plain }))
  expect(refused).toMatchObject([{ status: 402, error: 'invalid_network' }, 0n, 0n])
})

it('lets nobody own on Base what was bought with test money, nor the other way round', async () => {
  const own = await openShop({ make: async () => ({ body: Buffer.from('a text'), mimeType: 'text/plain' }) })
  const buyBooklet = (wish: PaymentWish) => received(() => buy(wish, { at: own, offer: booklet }))
  expect(await buyBooklet(onTest)).toMatchObject([{ status: 200, charged: null }, 0n, oneSale])
  expect(await buyBooklet(onBase)).toMatchObject([{ status: 200, charged: null }, oneSale, 0n])
  // The owner on a network gets it again there.
  expect(await buyBooklet(onTest)).toMatchObject([{ status: 200, charged: 'false' }, 0n, 0n])
  expect(await buyBooklet(onBase)).toMatchObject([{ status: 200, charged: 'false' }, 0n, 0n])
})

it('takes one payment identifier for one purchase, on one network', async () => {
  const identifier = `identifier-${'x'.repeat(16)}`
  expect(await received(() => buy({ ...onTest, identifier }))).toMatchObject([{ status: 200 }, 0n, oneSale])
  const used = await received(() => buy({ ...onBase, identifier }))
  expect(used).toMatchObject([{ status: 402, error: 'payment_identifier_already_used' }, 0n, 0n])
})

it('asks the network of a contract wallet whether it signed', async () => {
  const factory = await deployFactory(other.rpc)
  const wallet = await makeKeyWallet(other, factory, { token: testUsdc.address })
  await wallet.deploy()
  const { header } = await wallet.sign(onTest)
  const paid = await received(() => shop.buyLeaflet(header))
  expect([paid[0].status, paid[1], paid[2]]).toEqual([200, 0n, oneSale])
  // On Base there is no contract at its address, so that nothing there has signed.
  const refused = await received(async () => shop.buyLeaflet((await wallet.sign(onBase)).header))
  expect([refused[0].status, refused[1], refused[2]]).toEqual([402, 0n, 0n])
})

it('finds a payment on its network when the reply of its facilitator is lost', async () => {
  faulty.faults.settle.push('drop-after')
  expect(await received(() => buy(onTest))).toMatchObject([{ status: 200 }, 0n, oneSale])
})

it('reconciles what is open on each network after a restart', async () => {
  faulty.always.settle = 'drop-after'
  rpc.drops = () => true
  const [bought, ...moved] = await received(() => buy({ ...onTest, token: 'a-token' }))
  faulty.always.settle = undefined
  expect([bought.status, moved]).toEqual([503, [0n, oneSale]])
  expect(bought.settled).toMatchObject({ success: false, network: baseSepolia.id })
  const { db } = shop
  // The operator does not accept the network any more, so that its open payments wait.
  const plain = await openChainShop(main, { db })
  expect(await plain.payments.reconcile()).toBe(1)
  rpc.drops = () => false
  const restarted = await openShop({ db })
  expect(await restarted.payments.reconcile()).toBe(0)
  const again = await received(() => restarted.buyLeaflet(bought.header))
  expect([again[0].status, again[1], again[2]]).toEqual([200, 0n, 0n])
})

it('finds a payment that its ledger has lost on the network where it was made', async () => {
  const { header } = await buy(onTest)
  const restored = await openShop()
  const again = await restored.buyLeaflet(header)
  expect([again.status, (await again.json()).charged]).toEqual([403, true])
  const sales = await restored.db.selectFrom('sale').select(['network', 'units']).execute()
  expect(sales).toEqual([{ network: baseSepolia.id, units: '100000' }])
  // On Base it is a purchase like any other.
  expect(await received(() => buy(onBase, { at: restored }))).toMatchObject([{ status: 200 }, oneSale, 0n])
  // A payer on that network proves it there.
  const proof = await received(() => buy(onTest, { at: restored }))
  expect(proof).toMatchObject([{ status: 200 }, 0n, 0n])
})

it('a sale is final when its own chain says so', async () => {
  const own = await openShop()
  await buy(onBase, { at: own })
  await buy(onTest, { at: own })
  await other.rpc('anvil_mine', ['0x60'])
  for (let look = 0; look < 2; look++) await own.payments.reconcile()
  const sales = await own.db
    .selectFrom('sale')
    .select(['network', 'finality', 'reversed_at'])
    .orderBy('settled_at')
    .execute()
  expect(sales).toEqual([
    { network: base.id, finality: 'mined', reversed_at: null },
    { network: baseSepolia.id, finality: 'final', reversed_at: null },
  ])
})

it('counts test money nowhere, and marks it wherever it is shown', async () => {
  const { meters, metrics } = makePaymentMetrics({ products: () => [] })
  const own = await openShop({ meters })
  const { receipt } = await buy(onBase, { at: own })
  const test = await buy(onTest, { at: own })
  const now = Date.now()
  const written = await toMetricsText(metrics, (error) => {
    throw error
  })
  expect(written).toMatch(/^farthing_sales_total{product="leaflet"} 1$/m)
  expect(written).toMatch(/^farthing_sales_micro_usd_total{product="leaflet"} 100000$/m)
  const statistics = await makeSalesStatistics({ db: own.db, ownWallets: [], now: () => now }).read()
  expect(statistics).toMatchObject({ totalTransactions: 1, topResources: [{ count: 1, totalCents: 10 }] })
  expect(statistics).not.toHaveProperty('otherAssets')
  expect(statistics.last30Days.at(-1)?.count).toBe(1)
  expect(statistics.lastSaleAt).toBe((await own.payments.receipts.find(receipt))?.settledAt)
  // What the operator's wallet has bought with test money was never counted, and is not subtracted.
  const ownWallets = [sandboxAccounts.buyer.address.toLowerCase()]
  const without = await makeSalesStatistics({ db: own.db, ownWallets, now: () => now }).read()
  expect(without).toMatchObject({ totalTransactions: 0, topResources: [], lastSaleAt: null })
  expect(without.last30Days.at(-1)?.count).toBe(0)
  const report = await readSales(own.db, { days: 1, now })
  expect(report).toMatchObject({ total: { sales: 1, micros: 100_000n }, others: [] })
  const lines = (await Array.fromAsync(writeTaxCsv(own.db, { fromMs: 0, toMs: now + 1000 }))).slice(1)
  expect([lines.length, lines.join('')]).toEqual([1, expect.stringContaining(receipt)])
  const newest = await readNewestSales(own.db, 2)
  expect(newest.map((sale) => [sale.receipt === test.receipt, sale.isTest])).toEqual([
    [true, true],
    [false, false],
  ])
  // A wallet that signs in on Base proves nothing of other networks.
  const wallet = sandboxAccounts.buyer.address.toLowerCase()
  const asked = { wallet, most: 10 }
  const { purchases } = await findBought({ db: own.db, baseUrl: 'http://farthing.test', offers: [] }, asked)
  expect(purchases.map(({ receiptId }) => receiptId)).toEqual([receipt])
})

it('looks for a refund where the sale was paid', async () => {
  const { receipt } = await buy(onTest)
  const abi = parseAbi(['function transfer(address to, uint256 value)'])
  const args = [sandboxAccounts.buyer.address, oneSale] as const
  const data = encodeFunctionData({ abi, functionName: 'transfer', args })
  const send = async ({ rpc: ask }: RunningMoney, to: string) => {
    await ask('anvil_impersonateAccount', [sandboxPayTo])
    await ask('anvil_setBalance', [sandboxPayTo, '0x8ac7230489e80000'])
    const hash = String(await ask('eth_sendTransaction', [{ from: sandboxPayTo, to, data }]))
    // The transaction is sent before its block exists.
    await expect.poll(() => ask('eth_getTransactionReceipt', [hash])).not.toBeNull()
    return hash
  }
  const urls = new Map<string, string>([
    [base.id, main.rpcUrl],
    [baseSepolia.id, other.rpcUrl],
  ])
  const deps = { db: shop.db, findRefund: makeFindRefund((network) => urls.get(network)), now: Date.now }
  const elsewhere = await recordRefund(deps, { receipt, transaction: await send(main, usdcAddress) })
  expect(elsewhere).toMatchObject({ is: 'refused', reason: expect.stringContaining('does not know this transaction') })
  const there = await recordRefund(deps, { receipt, transaction: await send(other, testUsdc.address) })
  expect(there).toMatchObject({ is: 'recorded', refund: { network: baseSepolia.id, asset: testUsdc.address } })
  const lines = (await Array.fromAsync(writeTaxCsv(shop.db, { fromMs: 0, toMs: Date.now() + 1000 }))).join('')
  expect(lines).not.toContain('refund')
})

describe('the health checks', () => {
  const look = async (rpcUrl: string, facilitatorUrl: string) => {
    const config = readConfig({
      ...{ ALSO_NETWORKS: 'base-sepolia', RPC_URL: main.rpcUrl, FACILITATOR_URL: main.facilitatorUrl },
      ...{ BASE_SEPOLIA_RPC_URL: rpcUrl, BASE_SEPOLIA_FACILITATOR_URL: facilitatorUrl },
    })
    const checks = [...makeFacilitatorChecks(config), ...makeChainChecks(config), ...makeOtherChecks(config)]
    const found = await Promise.all(checks.map(async ({ name, run }) => ({ name, ...(await run()) })))
    return {
      base: found.filter(({ name }) => !name.includes('sepolia')),
      there: found.filter(({ name }) => name.includes('sepolia')),
    }
  }

  it('are ok when each network has its own chain and facilitator', async () => {
    const { base: onMain, there } = await look(other.rpcUrl, other.facilitatorUrl)
    expect(onMain.map(({ is }) => is)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
    expect(there.map(({ name, is }) => [name, is])).toEqual([
      ['facilitator-base-sepolia', 'ok'],
      ['chain-base-sepolia', 'ok'],
      ['token-base-sepolia', 'ok'],
      ['blocks-base-sepolia', 'ok'],
    ])
  })

  it('name a chain and a facilitator of another network, and only warn, so that Base goes on selling', async () => {
    const { base: onMain, there } = await look(main.rpcUrl.replace('127.0.0.1', 'localhost'), main.facilitatorUrl)
    expect(onMain.map(({ is }) => is)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
    expect(there).toMatchObject([
      { is: 'warning', advice: 'Set BASE_SEPOLIA_FACILITATOR_URL to one for Base Sepolia.' },
      { is: 'warning', sentence: expect.stringContaining('serves chain 8453, and payments are on chain 84532') },
      { is: 'warning', advice: 'Is BASE_SEPOLIA_RPC_URL of Base Sepolia?' },
      { is: 'ok' },
    ])
  })

  it('name a chain that does not respond', async () => {
    rpc.drops = () => true
    const { base: onMain, there } = await look(rpc.url, other.facilitatorUrl)
    rpc.drops = () => false
    expect(onMain.map(({ is }) => is)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
    expect(there.find(({ name }) => name === 'chain-base-sepolia')).toMatchObject({
      is: 'warning',
      sentence: expect.stringMatching(/^On Base Sepolia: The chain's RPC does not answer/),
      advice: expect.stringContaining('BASE_SEPOLIA_RPC_URL'),
    })
  })
})

it('sells on Base while the other chain answers nothing', async () => {
  rpc.holds = () => true
  faulty.always.verify = 'down'
  try {
    const own = await openShop()
    const [there, here] = await Promise.all([buy(onTest, { at: own }), buy(onBase, { at: own })])
    expect([there.status, JSON.parse(there.text).charged, here.status]).toEqual([503, false, 200])
    expect(await own.payments.reconcile({ only: 'first' })).toBe(0)
  } finally {
    rpc.holds = () => false
    faulty.always.verify = undefined
  }
})

it('has places for buyers on Base when those of the other network are all taken', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const slow = { ...rail.facilitator, verify: () => held.then(() => ({ is: 'unavailable', cause: 'late' }) as const) }
  const own = await openShop({ others: [{ ...rail, facilitator: slow }] })
  const crowd = Array.from({ length: leaflet.concurrency }, () => buy(onTest, { at: own }))
  await expect.poll(() => own.payments.slotsInUse().get(leaflet.id)).toBe(leaflet.concurrency)
  expect((await buy(onTest, { at: own })).text).toContain('/problems/busy')
  expect((await buy(onBase, { at: own })).status).toBe(200)
  letGo()
  expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([503]))
})

it('starts a chain and a facilitator for each network of a sandbox, and says where', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-networks-'))
  const PORT = String(await findFreePorts())
  const config = readConfig({ PORT, DATA_DIR: dataDir, ALSO_NETWORKS: 'base-sepolia' })
  const sandbox = await startSandbox(config, dataDir, () => {})
  try {
    const [there] = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')).alsoNetworks
    expect(there).toMatchObject({ network: baseSepolia.id, chainId: 84532, asset: testUsdc.address })
    const kinds = await Promise.all(
      [config.facilitator.url, there.facilitatorUrl].map(async (url) => (await fetch(`${url}/supported`)).json()),
    )
    expect(kinds.map(({ kinds: [{ network }] }) => network)).toEqual([base.id, baseSepolia.id])
    for (const check of makeOtherChecks(config)) expect(await check.run(), check.name).toMatchObject({ is: 'ok' })
  } finally {
    await sandbox.stop()
    rmSync(dataDir, { recursive: true })
  }
})

describe('the site', () => {
  const builds = makeAlteredBuilds()
  let site: RunningSite
  beforeAll(async () => {
    site = await startSite({
      ...{ rpcUrl: main.rpcUrl, facilitatorUrl: main.facilitatorUrl },
      build: builds.add('two-networks', { facts: { alsoAccepts: 'base-sepolia' } }),
      env: {
        ALSO_NETWORKS: 'base-sepolia',
        BASE_SEPOLIA_RPC_URL: other.rpcUrl,
        BASE_SEPOLIA_FACILITATOR_URL: 'self',
        BASE_SEPOLIA_FACILITATOR_PRIVATE_KEY: sandboxAccounts.relayer.privateKey,
        BASE_SEPOLIA_FACILITATOR_PORT: String(await findFreePort()),
      },
    })
  })
  afterAll(async () => {
    await site?.kill()
    builds.remove()
  })

  const buySkill = (network: typeof base.id | typeof baseSepolia.id) => {
    const account = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
    const client = new x402Client().register(network, new ExactEvmScheme(account))
    return wrapFetchWithPayment(site.fetch, client)(`${testBaseUrl}/skills/x402-buyer/raw`)
  }
  const gasOf = async ({ rpc: ask }: RunningMoney): Promise<bigint> =>
    BigInt(String(await ask('eth_getBalance', [sandboxAccounts.relayer.address, 'latest'])))

  it('sells on both, settles on the other with a gas wallet of its own, and tells what is which', async () => {
    const gas = await Promise.all([gasOf(main), gasOf(other)])
    const [test, ...there] = await received(() => buySkill(baseSepolia.id))
    expect([test.status, there]).toEqual([200, [0n, oneSale]])
    // The same skill, because a purchase with test money is not owned on Base.
    const [real, ...here] = await received(() => buySkill(base.id))
    expect([real.status, here]).toEqual([200, [oneSale, 0n]])
    const spent = await Promise.all([gasOf(main), gasOf(other)])
    expect(spent.map((left, at) => left < (gas[at] ?? 0n))).toEqual([false, true])

    const receipt = (await site.fetch(`/api/receipts/${test.headers.get('x-receipt-id')}.json`)).json()
    expect(await receipt).toMatchObject({ network: baseSepolia.id, testMoney: true })
    const page = await (await site.fetch(`/receipts/${test.headers.get('x-receipt-id')}`)).text()
    expect(page).toMatch(/test USDC[^<]*which is worth nothing/)
    expect(await (await site.fetch('/api/stats.json')).json()).toMatchObject({ totalTransactions: 1 })
  })

  it('reports on each network, and is ready if Base is', async () => {
    const { ready, findings } = await (await site.fetch('/readyz')).json()
    expect(ready).toBe(true)
    const names = findings.map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => name.endsWith('-base-sepolia'))).toEqual([
      'facilitator-base-sepolia',
      'settlement-base-sepolia',
      'chain-base-sepolia',
      'token-base-sepolia',
      'blocks-base-sepolia',
    ])
  })
})
