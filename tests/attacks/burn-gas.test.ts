import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/sandbox/accounts.ts'
import { askFacilitator } from '../support/ask-facilitator.ts'
import {
  deployWallet,
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
it.each(hostile)('spends no gas and keeps its word when a contract wallet %s (%d)', async (manner, figure) => {
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

it('refuses signatures that say they are of undeployed wallets and cannot be taken apart', async () => {
  const { payload, ...rest } = await signPayment({ amount })
  for (const signature of [garbageErc6492(), garbageErc6492(), wrapErc6492(testPayTo, '0x1234')]) {
    const payment = { ...rest, payload: { ...payload, payload: { ...payload.payload, signature } } }
    expect(await verify(payment)).toMatchObject(invalid)
    expect(await settle(payment)).toMatchObject(notSettled)
  }
})

it('settles with less than the ceiling when a wallet turns costly between the two questions', async () => {
  const wallet = await deployWallet(money.rpc, 'accepts')
  const payment = await signForWallet(wallet, { amount })
  expect(await verify(payment)).toMatchObject({ isValid: true })
  await setManner(money.rpc, wallet, 'costly', 5_000_000n)
  const before = await gasOf(money)
  expect(await settle(payment)).toMatchObject(notSettled)
  expect(await gasOf(money)).toBe(before)
})
