import { decodePaymentResponseHeader } from '@x402/core/http'
import { encodeFunctionData, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { eurc } from '../../src/core/assets.ts'
import { usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { makeTokenCheck } from '../../src/health/check-token.ts'
import { recordRefund, toRefundNote } from '../../src/operator/refunds.ts'
import { readSales } from '../../src/operator/sales-report.ts'
import { writeTaxCsv } from '../../src/operator/tax-csv.ts'
import { toLibraryCsv } from '../../src/owners/library-csv.ts'
import { openLibrary } from '../../src/owners/open-library.ts'
import { makeFindRefund } from '../../src/payments/chain/find-refund.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { makeSalesStatistics } from '../../src/stats/sales-statistics.ts'
import { openChainShop } from '../support/chain-shop.ts'
import { fund } from '../support/hostile-wallets.ts'
import { deployFactory, makeKeyWallet, namedFactory } from '../support/key-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type PaymentWish, signPayment } from '../support/signed-payments.ts'
import { readTerms, type TestShop } from '../support/test-shop.ts'

const also = [{ ...eurc, perUsd: 920_001n }]
/** A tenth of a dollar in EURC at that rate, rounded up. */
const euros = { amount: 92_001n, payTo: sandboxPayTo, asset: eurc }
const dollars = { amount: 100_000n, payTo: sandboxPayTo }
const usd = { ...eurc, symbol: 'USDC', address: usdcAddress, domain: usdcDomain }

let money: RunningMoney
let shop: TestShop
beforeAll(async () => {
  money = await startMoney({
    settlement: { alsoAssets: [eurc.address], walletFactories: [namedFactory], limits: { maxGas: 600_000 } },
  })
  shop = await openChainShop(money, { also })
})
afterAll(() => money?.stop())

const buy = async (wish: PaymentWish, at = shop) => {
  const response = await at.buyLeaflet((await signPayment(wish)).header)
  const { error } = response.status === 402 ? readTerms(response) : {}
  return { status: response.status, error, receipt: response.headers.get('x-receipt-id') ?? '' }
}
const balance = async (token: string) =>
  BigInt(
    String(
      await money.rpc('eth_call', [
        { to: token, data: `0x70a08231${sandboxPayTo.slice(2).toLowerCase().padStart(64, '0')}` },
        'latest',
      ]),
    ),
  )
const buyer = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
const signIn = async (message: string) => ({ message, signature: await buyer.signMessage({ message }) })
const newest = async (id: string) => shop.payments.receipts.find(id)

it('offers USDC first and then EURC, by the rate of the operator in whole units', async () => {
  const { accepts } = readTerms(await shop.buyLeaflet())
  expect(accepts).toMatchObject([
    { asset: usdcAddress, amount: '100000', extra: usdcDomain },
    { asset: eurc.address, amount: '92001', extra: eurc.domain, network: 'eip155:8453', payTo: sandboxPayTo },
  ])
})

it('sells for EURC, and says so in the receipt', async () => {
  const before = await balance(eurc.address)
  const { status, receipt } = await buy(euros)
  expect([status, (await balance(eurc.address)) - before]).toEqual([200, 92_001n])
  expect(await newest(receipt)).toMatchObject({ asset: eurc.address, amountMicroUsd: '100000', amountUnits: '92001' })
  const inUsdc = await newest((await buy(dollars)).receipt)
  expect(inUsdc).toMatchObject({ asset: usdcAddress, amountMicroUsd: '100000' })
  expect(inUsdc).not.toHaveProperty('amountUnits')
})

it('says in its response how much of the token it took', async () => {
  const amountOf = (answer: Response) =>
    decodePaymentResponseHeader(answer.headers.get('payment-response') ?? '').amount
  const [inEuros, inDollars] = [await signPayment(euros), await signPayment(dollars)]
  expect(amountOf(await shop.buyLeaflet(inEuros.header))).toBe('92001')
  expect(amountOf(await shop.buyLeaflet(inDollars.header))).toBe('100000')
})

it('shows owners the token and the amount of a payment in EURC, and neither for one in USDC', async () => {
  const own = await openChainShop(money, { also })
  const [inEuros, inDollars] = [await buy(euros, own), await buy(dollars, own)]
  const library = openLibrary({
    ...own.payments.forLibrary,
    db: own.db,
    products: makeProductStore('/nonexistent'),
    baseUrl: 'https://shop.example',
    offers: [],
    findMake: () => undefined,
    now: Date.now,
  })
  const { purchases } = await library.listFor(await signIn(library.toMessage(buyer.address)))
  const find = ({ receipt }: { receipt: string }) => purchases.find(({ receiptId }) => receiptId === receipt)
  expect(find(inEuros)).toMatchObject({ amountMicroUsd: '100000', asset: eurc.address, amountUnits: '92001' })
  expect(Object.keys(find(inDollars) ?? {}).filter((name) => /asset|Units/.test(name))).toEqual([])
  const lines = toLibraryCsv(purchases).split('\r\n')
  const lineOf = ({ receipt }: { receipt: string }) => lines.find((line) => line.includes(receipt))
  expect([lineOf(inEuros), lineOf(inDollars)].map((line) => line?.split(',').slice(-2).join())).toEqual([
    `"${eurc.address}","92001"`,
    '"",""',
  ])
})

it('takes one nonce in two tokens for two payments', async () => {
  const nonce = `0x${'5'.repeat(64)}` as const
  const before = [await balance(usdcAddress), await balance(eurc.address)]
  expect([(await buy({ ...dollars, nonce })).status, (await buy({ ...euros, nonce })).status]).toEqual([200, 200])
  const after = [await balance(usdcAddress), await balance(eurc.address)]
  expect(after.map((now, at) => now - (before[at] ?? 0n))).toEqual([100_000n, 92_001n])
})

it.each([
  ['the number of dollars in euros', { ...euros, amount: 100_000n }],
  ['a unit too little', { ...euros, amount: 92_000n }],
  ['the number of euros in dollars', { ...dollars, amount: 92_001n }],
  ['a signature over the name of the other token', { ...euros, asset: { ...eurc, domain: usdcDomain } }],
  ['a token that is not offered', { ...euros, asset: { ...usd, address: sandboxAccounts.pauper.address } }],
])('refuses %s, and charges nothing', async (_, wish) => {
  const before = [await balance(usdcAddress), await balance(eurc.address)]
  expect(await buy(wish)).toMatchObject({ status: 402 })
  expect([await balance(usdcAddress), await balance(eurc.address)]).toEqual(before)
})

it('refuses EURC where the operator takes USDC alone', async () => {
  const plain = await openChainShop(money)
  expect(readTerms(await plain.buyLeaflet()).accepts).toHaveLength(1)
  const before = await balance(eurc.address)
  expect(await buy(euros, plain)).toMatchObject({ status: 402, error: 'invalid_exact_evm_asset_mismatch' })
  expect(await balance(eurc.address)).toBe(before)
})

it('never adds the two: the ledger, the statistics and the tax report list each token separately', async () => {
  const own = await openChainShop(money, { also })
  for (const wish of [dollars, euros, euros]) expect((await buy(wish, own)).status).toBe(200)
  const now = Date.now()
  const report = await readSales(own.db, { days: 1, now })
  expect(report.total).toMatchObject({ sales: 1, micros: 100_000n })
  expect(report.others).toEqual([{ asset: eurc.address, sales: 2, units: 184_002n }])
  const statistics = makeSalesStatistics({ db: own.db, ownWallets: [], now: () => now })
  expect(await statistics.read()).toMatchObject({
    totalTransactions: 3,
    topResources: [{ path: '/leaflet', count: 1, totalCents: 10 }],
    otherAssets: [{ asset: eurc.address, symbol: 'EURC', count: 2, totalUnits: '184002' }],
  })
  const mine = makeSalesStatistics({
    db: own.db,
    ownWallets: [sandboxAccounts.buyer.address.toLowerCase()],
    now: () => now,
  })
  expect(await mine.read()).toMatchObject({ totalTransactions: 0, topResources: [] })
  const lines = (await Array.fromAsync(writeTaxCsv(own.db, { fromMs: 0, toMs: now + 1000 }))).join('')
  expect(lines.match(new RegExp(`,92001,${eurc.address},`, 'g'))).toHaveLength(2)
  expect(lines.match(new RegExp(`,100000,${usdcAddress},`, 'g'))).toHaveLength(1)
})

it('finds a payment in EURC on the chain when the facilitator’s word and the ledger are lost', async () => {
  const payment = await signPayment(euros)
  const first = await openChainShop(money, { also })
  expect((await first.buyLeaflet(payment.header)).status).toBe(200)
  const restored = await openChainShop(money, { also })
  const again = await restored.buyLeaflet(payment.header)
  expect([again.status, (await again.json()).charged]).toEqual([403, true])
  expect(await restored.db.selectFrom('sale').select(['asset', 'amount', 'units']).execute()).toEqual([
    { asset: eurc.address, amount: '100000', units: '92001' },
  ])
  const before = await balance(eurc.address)
  const proof = await signPayment(euros)
  const fetched = await restored.buyLeaflet(proof.header)
  expect([fetched.status, await balance(eurc.address)]).toEqual([200, before])
})

it('records the value of a lost payment in EURC, whoever asks for it first and at whatever price', async () => {
  const payment = await signPayment(euros)
  expect((await (await openChainShop(money, { also })).buyLeaflet(payment.header)).status).toBe(200)
  const restored = await openChainShop(money, { also })
  // A stranger who read the payment on the chain sends it for something cheaper.
  expect((await restored.buyBundle({ pages: ['one'] }, payment.header)).status).not.toBe(200)
  const before = await balance(eurc.address)
  const fetched = await restored.buyLeaflet((await signPayment(euros)).header)
  expect([fetched.status, await balance(eurc.address)]).toEqual([200, before])
})

it('sells for EURC over MCP, and at the price of the request', async () => {
  const payment = await signPayment(euros)
  expect((await shop.buyLeafletBy.mcp(payment.header)).status).toBe(200)
  const pages = ['one', 'two', 'three']
  const [, inEuros] = readTerms(await shop.buyBundle({ pages })).accepts
  // 80000 millionths of a dollar at 0.920001.
  expect(inEuros.amount).toBe('73601')
  const { header } = await signPayment({ ...euros, amount: 73_601n })
  expect((await shop.buyBundle({ pages: [...pages, 'four'] }, header)).status).toBe(402)
  expect((await shop.buyBundle({ pages }, header)).status).toBe(200)
})

it('deploys a contract wallet that pays in EURC', async () => {
  await deployFactory(money.rpc, namedFactory)
  const wallet = await makeKeyWallet(money, namedFactory, { balance: 0n })
  await fund(money.rpc, wallet.address, 1_000_000n, eurc.address)
  const { header } = await wallet.signUndeployed(euros)
  expect([(await shop.buyLeaflet(header)).status, await wallet.isDeployed()]).toEqual([200, true])
})

it('accepts only EURC as the refund of a payment in EURC', async () => {
  const { receipt } = await buy(euros)
  // The refund is sent from the operator's wallet.
  await money.rpc('anvil_impersonateAccount', [sandboxPayTo])
  await money.rpc('anvil_setBalance', [sandboxPayTo, '0x8ac7230489e80000'])
  const abi = parseAbi(['function transfer(address to, uint256 value)'])
  const args = [sandboxAccounts.buyer.address, 92_001n] as const
  const data = encodeFunctionData({ abi, functionName: 'transfer', args })
  const send = async (to: string): Promise<string> => {
    const hash = String(await money.rpc('eth_sendTransaction', [{ from: sandboxPayTo, to, data }]))
    await expect.poll(() => money.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull()
    return hash
  }
  const deps = { db: shop.db, findRefund: makeFindRefund(() => money.rpcUrl), now: Date.now }
  const wrong = await recordRefund(deps, { receipt, transaction: await send(usdcAddress) })
  expect(wrong.is).toBe('refused')
  const right = await recordRefund(deps, { receipt, transaction: await send(eurc.address) })
  expect(right.is === 'recorded' && toRefundNote(right.refund, { toRefund: () => 'unsigned' }).text).toMatch(
    /0\.092001 EURC was sent back/,
  )
  expect(await newest(receipt)).toMatchObject({ refund: { amountMicroUsd: '100000', amountUnits: '92001' } })
  expect((await readSales(shop.db, { days: 1, now: Date.now() })).refunded).toEqual({ count: 0, micros: 0n })
})

it('checks each token by the name that buyers sign for', async () => {
  for (const token of [usdcAddress, ...also])
    expect(await makeTokenCheck(money.rpcUrl, token).run()).toMatchObject({ is: 'ok' })
  const [other] = also
  const misnamed = { ...eurc, address: usdcAddress, perUsd: other?.perUsd ?? 1n }
  expect(await makeTokenCheck(money.rpcUrl, misnamed).run()).toMatchObject({ is: 'failure' })
})
