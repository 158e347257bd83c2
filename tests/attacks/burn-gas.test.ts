import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { usualLimits } from '../../src/core/gas-limits.ts'
import { makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'
import { askFacilitator } from '../support/ask-facilitator.ts'
import { startFaultyRpc } from '../support/faulty-rpc.ts'
import { findUnusedPort } from '../support/free-ports.ts'
import {
  deployWallet,
  fund,
  garbageErc6492,
  type Manner,
  setManner,
  signForWallet,
  wrapErc6492,
} from '../support/hostile-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { signPayment, testPayTo } from '../support/signed-payments.ts'

const amount = 100_000n
const gasOf = async ({ rpc }: RunningMoney) =>
  BigInt(String(await rpc('eth_getBalance', [sandboxAccounts.facilitator.address, 'latest'])))

let money: RunningMoney
beforeAll(async () => {
  money = await startMoney()
})
afterAll(() => money.stop())

const verify = (payment: Awaited<ReturnType<typeof signPayment>>) =>
  askFacilitator(money.facilitatorUrl, 'verify', payment)
const settle = (payment: Awaited<ReturnType<typeof signPayment>>) =>
  askFacilitator(money.facilitatorUrl, 'settle', payment)
const aCode = expect.stringMatching(/^[a-z][a-z0-9_]{2,79}$/)
const invalid = { status: 200, isValid: false, invalidReason: aCode }
const notSettled = { status: 200, success: false, errorReason: aCode, transaction: '' }

it('lets honest contract wallets pay', async () => {
  for (const figure of [0n, 100_000n]) {
    const payment = await signForWallet(await deployWallet(money.rpc, 'costly', { figure }), { amount })
    expect(await verify(payment)).toMatchObject({ status: 200, isValid: true })
    expect(await settle(payment)).toMatchObject({ status: 200, success: true })
  }
})

it('sends a settlement with a fifth more gas than it needs, so that a wallet that changes cannot burn all that is allowed', async () => {
  const gasFor = async (figure: bigint) => {
    const payment = await signForWallet(await deployWallet(money.rpc, 'costly', { figure }), { amount })
    const { transaction } = await settle(payment)
    const [sent, receipt] = await Promise.all(
      ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => money.rpc(method, [transaction])),
    )
    const { gas } = z.object({ gas: z.string() }).parse(sent)
    const { gasUsed } = z.object({ gasUsed: z.string() }).parse(receipt)
    return { gas: Number(gas), gasUsed: Number(gasUsed) }
  }
  const cheap = await gasFor(0n)
  expect(cheap.gas).toBeGreaterThan(cheap.gasUsed)
  expect(cheap.gas).toBeLessThan(1.4 * cheap.gasUsed)
  expect(cheap.gas).toBeLessThan(usualLimits.maxGas)
  const dear = await gasFor(195_000n)
  expect(1.2 * dear.gasUsed).toBeGreaterThan(usualLimits.maxGas)
  expect(dear.gas).toBe(usualLimits.maxGas)
})

const hostile: readonly (readonly [Manner, bigint])[] = [
  ['reverts', 0n],
  ['rubbish', 0n],
  ['rubbish', 20n],
  ['rubbish', 2_000_000n],
  ['burns', 0n],
  ['loops', 0n],
  ['costly', 400_000n],
  ['costly', 20_000_000n],
  ['simulated', 0n],
  ['late', 0n],
]
it.each(hostile)('spends no gas and settles nothing when a contract wallet %s (%d)', async (manner, figure) => {
  const before = await gasOf(money)
  const payment = await signForWallet(await deployWallet(money.rpc, manner, { figure }), { amount })
  expect(await verify(payment)).toMatchObject(invalid)
  expect(await settle(payment)).toMatchObject(notSettled)
  expect(await gasOf(money)).toBe(before)
})

it('says that a wallet takes more gas than is allowed', async () => {
  const payment = await signForWallet(await deployWallet(money.rpc, 'costly', { figure: 400_000n }), { amount })
  expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: 'settlement_gas_above_limit' })
})

it('refuses signatures that are marked as ERC-6492 and cannot be decoded', async () => {
  const { payload, ...rest } = await signPayment({ amount })
  for (const signature of [garbageErc6492(), garbageErc6492(), wrapErc6492(testPayTo, '0x1234')]) {
    const payment = { ...rest, payload: { ...payload, payload: { ...payload.payload, signature } } }
    expect(await verify(payment)).toMatchObject(invalid)
    expect(await settle(payment)).toMatchObject(notSettled)
  }
})

it('spends no gas when a wallet becomes costly between verification and settlement', async () => {
  const wallet = await deployWallet(money.rpc, 'accepts')
  const payment = await signForWallet(wallet, { amount })
  expect(await verify(payment)).toMatchObject({ isValid: true })
  await setManner(money.rpc, wallet, 'costly', 5_000_000n)
  const before = await gasOf(money)
  expect(await settle(payment)).toMatchObject(notSettled)
  expect(await gasOf(money)).toBe(before)
})

it('pays for three reverts of one payer in an hour and no more, while others are served', async () => {
  const wallet = await deployWallet(money.rpc, 'accepts')
  const outcomes: unknown[] = []
  for (let time = 0; time < 5; time++) {
    // The wallet accepts in every simulation at the newest block, and no longer when it is mined in the next block.
    const block = BigInt(String(await money.rpc('eth_blockNumber', [])))
    await setManner(money.rpc, wallet, 'late', block)
    const payment = await signForWallet(wallet, { amount })
    const verdict = await verify(payment)
    const { errorReason, transaction } = await settle(payment)
    outcomes.push([verdict.isValid, errorReason, transaction !== ''])
  }
  const reverted = [true, 'invalid_exact_evm_transaction_failed', true]
  const barred = [false, 'too_many_reverted_settlements', false]
  expect(outcomes).toEqual([reverted, reverted, reverted, barred, barred])
  expect(await settle(await signPayment({ amount }))).toMatchObject({ success: true })
})

it('has at most one settlement of a contract wallet in flight, and of a plain account as many as its balance pays for', async () => {
  const slow = await startMoney({ blockTimeSeconds: 1, settlement: { turnWaitMs: 100 } })
  try {
    const wallet = await deployWallet(slow.rpc, 'accepts')
    const ask = (payment: Awaited<ReturnType<typeof signPayment>>) =>
      askFacilitator(slow.facilitatorUrl, 'settle', payment)
    const successes = async (payments: readonly Awaited<ReturnType<typeof signPayment>>[]) =>
      (await Promise.all(payments.map(ask))).filter(({ success }) => success).length
    const ofWallet = await Promise.all(Array.from({ length: 4 }, () => signForWallet(wallet, { amount })))
    expect(await successes(ofWallet)).toBe(1)

    await fund(slow.rpc, sandboxAccounts.pauper.address, 2n * amount)
    const wish = { amount, privateKey: sandboxAccounts.pauper.privateKey }
    const ofPauper = await Promise.all(Array.from({ length: 4 }, () => signPayment(wish)))
    expect(await successes(ofPauper)).toBe(2)
    const twice = await signPayment({ amount })
    expect(await successes([twice, twice])).toBe(1)
    const Receipts = z.array(z.object({ status: z.string() }))
    const blocks = Number(await slow.rpc('eth_blockNumber', []))
    for (let number = 1; number <= blocks; number++) {
      const receipts = Receipts.parse(await slow.rpc('eth_getBlockReceipts', [`0x${number.toString(16)}`]))
      expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => '0x1'))
    }
  } finally {
    await slow.stop()
  }
})

it('refuses a payment whose gas costs more than the allowed share of the price', async () => {
  const limits = { maxGas: 300_000, maxShare: { percent: 50, etherUsd: 5000 } }
  const { privateKey } = sandboxAccounts.facilitator
  const served = await serveFacilitator(makeFacilitator({ rpcUrl: money.rpcUrl, privateKey, limits }), {
    port: await findUnusedPort(),
  })
  const verdictOn = async (price: bigint) => askFacilitator(served.url, 'verify', await signPayment({ amount: price }))
  // Gas on a new local chain costs between 1 and 2 gwei, so a transfer costs 0.30 to 1 USD.
  expect(await verdictOn(10_000n)).toMatchObject({ isValid: false, invalidReason: 'settlement_gas_above_price' })
  expect(await verdictOn(10_000_000n)).toMatchObject({ isValid: true })
  await served.close()
})

it('verifies nothing when its wallet cannot pay for gas, says so on /health, and goes on when it can', async () => {
  const { rpc, facilitatorUrl, stop } = await startMoney()
  const { address } = sandboxAccounts.facilitator
  const health = async () => {
    const response = await fetch(`${facilitatorUrl}/health`)
    return [response.status, await response.json()]
  }
  try {
    expect(await health()).toEqual([
      200,
      { settling: true, waiting: 0, gas: expect.objectContaining({ isLow: false }) },
    ])
    await rpc('anvil_setBalance', [address, '0x1'])
    await expect.poll(health).toMatchObject([503, { settling: false, gas: { isLow: true } }])
    const payment = await signPayment({ amount })
    expect(await askFacilitator(facilitatorUrl, 'verify', payment)).toMatchObject({ status: 502 })
    await rpc('anvil_setBalance', [address, '0x8ac7230489e80000'])
    await expect.poll(health).toMatchObject([200, { settling: true }])
    expect(await askFacilitator(facilitatorUrl, 'settle', payment)).toMatchObject({ success: true })
  } finally {
    await stop()
  }
})

it('spends gas on no other token than the one that is sold for', async () => {
  const { payload, ...rest } = await signPayment({ amount })
  const accepted = { ...payload.accepted, asset: testPayTo }
  const payment = { ...rest, payload: { ...payload, accepted } }
  expect(await verify(payment)).toMatchObject({ isValid: false, invalidReason: 'unsupported_asset' })
})

it('blames a call that never returns on the payment only while the chain answers other calls', async () => {
  const rpc = await startFaultyRpc(money.rpcUrl)
  const { privateKey } = sandboxAccounts.facilitator
  const facilitator = makeFacilitator({ rpcUrl: rpc.url, privateKey, rpcTimeoutMs: 3000 })
  const served = await serveFacilitator(facilitator, { port: await findUnusedPort() })
  const wallet = await deployWallet(money.rpc, 'accepts')
  const payment = await signForWallet(wallet, { amount })
  const isOfWallet = (params: unknown) => JSON.stringify(params).toLowerCase().includes(wallet.slice(2).toLowerCase())
  const ask = () => askFacilitator(served.url, 'verify', payment)
  try {
    expect(await ask()).toMatchObject({ isValid: true })
    rpc.holds = (method, params) => method === 'eth_call' && isOfWallet(params)
    expect(await ask()).toMatchObject(invalid)
    rpc.holds = (method) => method === 'eth_estimateGas'
    expect(await ask()).toMatchObject(invalid)
    rpc.holds = (method) => method === 'eth_call'
    expect(await ask()).toMatchObject({ status: 502 })
    rpc.holds = () => true
    expect(await ask()).toMatchObject({ status: 502 })
    rpc.holds = () => false
    rpc.drops = (method) => method === 'eth_call'
    expect(await ask()).toMatchObject({ status: 502 })
    rpc.drops = () => false
    expect(await ask()).toMatchObject({ isValid: true })
  } finally {
    await served.close()
    await rpc.close()
  }
})
