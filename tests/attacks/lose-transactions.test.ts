import { setTimeout as delay } from 'node:timers/promises'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'
import { askFacilitator } from '../support/ask-facilitator.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import { startFaultyRpc } from '../support/faulty-rpc.ts'
import { findUnusedPort } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type SignedPayment, signPayment, testPayTo } from '../support/signed-payments.ts'

const amount = 10_000n
const gasKey = sandboxAccounts.facilitator
const settlement = { reviveAfterMs: 300, confirmationTimeoutMs: 3_000, turnWaitMs: 300 }

let money: RunningMoney
beforeEach(async () => {
  money = await startMoney({ settlement })
})
afterEach(() => {
  vi.useRealTimers()
  return money.stop()
})

const settle = (payment: SignedPayment, url = money.facilitatorUrl) => askFacilitator(url, 'settle', payment)
const mineAtOnce = (isOn: boolean) => money.rpc('evm_setAutomine', [isOn])
const settled = { status: 200, success: true }

const Pool = z.object({ pending: z.record(z.string(), z.record(z.string(), z.object({ hash: z.string() }))) })
const poolHashes = async (): Promise<string[]> => {
  const { pending } = Pool.parse(await money.rpc('txpool_content', []))
  return Object.values(pending).flatMap((own) => Object.values(own).map(({ hash }) => hash))
}
/** Begins settlements that are not mined, and waits until the network has them. */
async function sendUnmined(payments: readonly SignedPayment[], url = money.facilitatorUrl) {
  await mineAtOnce(false)
  const known = (await poolHashes()).length
  const outcomes = payments.map((payment) => settle(payment, url))
  await expect.poll(poolHashes).toHaveLength(known + payments.length)
  return { hashes: await poolHashes(), outcomes: Promise.all(outcomes) }
}
const countOf = (payment: SignedPayment[]) =>
  Promise.all(payment.map((one) => makeChainActions(money.rpcUrl).isUsed(one)))

it('serves everybody after the network dropped transactions', async () => {
  const lost = [await signPayment({ amount }), await signPayment({ amount })]
  const { hashes, outcomes } = await sendUnmined(lost)
  for (const hash of hashes) await money.rpc('anvil_dropTransaction', [hash])
  await mineAtOnce(true)
  expect(await settle(await signPayment({ amount }))).toMatchObject(settled)
  expect(await outcomes).toMatchObject([settled, settled])
  expect(await money.transfersTo(testPayTo)).toHaveLength(3)
})

it('serves everybody after the network dropped transactions and the clock was set back by an hour', async () => {
  const [lost, next] = [await signPayment({ amount }), await signPayment({ amount })]
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() })
  const { url, close } = await restart()
  const { hashes, outcomes } = await sendUnmined([lost], url)
  vi.setSystemTime(Date.now() - 60 * 60 * 1000)
  for (const hash of hashes) await money.rpc('anvil_dropTransaction', [hash])
  await mineAtOnce(true)
  expect(await settle(next, url)).toMatchObject(settled)
  expect(await outcomes).toMatchObject([settled])
  await close()
  expect(await money.transfersTo(testPayTo)).toHaveLength(2)
})

it('serves everybody after another program with the same key used the nonce of a transaction', async () => {
  const lost = await signPayment({ amount })
  const { outcomes } = await sendUnmined([lost])
  const account = privateKeyToAccount(gasKey.privateKey)
  const other = createWalletClient({ account, transport: http(money.rpcUrl) })
  const fees = { maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 50_000_000_000n }
  await other.sendTransaction({ to: account.address, value: 0n, nonce: 0, gas: 21_000n, chain: null, ...fees })
  await money.rpc('evm_mine', [])
  await mineAtOnce(true)
  expect(await settle(await signPayment({ amount }))).toMatchObject(settled)
  expect(await outcomes).toMatchObject([{ success: false, errorReason: 'settlement_pending' }])
  expect(await settle(lost)).toMatchObject(settled)
})

it('sends a transaction again that a reorganisation dropped', async () => {
  await settle(await signPayment({ amount }))
  const takenBack = await signPayment({ amount })
  expect(await settle(takenBack)).toMatchObject(settled)
  await money.rpc('anvil_reorg', [1, []])
  expect(await countOf([takenBack])).toEqual([false])
  expect(await settle(await signPayment({ amount }))).toMatchObject(settled)
  await expect.poll(() => countOf([takenBack])).toEqual([true])
  expect(await money.transfersTo(testPayTo)).toHaveLength(3)
})

it('raises the fee of a transaction when the price of gas has risen above what it offered', async () => {
  const payment = await signPayment({ amount })
  const { hashes, outcomes } = await sendUnmined([payment])
  const risen = 20_000_000_000n
  await money.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${risen.toString(16)}`])
  await money.rpc('evm_mine', [])
  expect(await countOf([payment])).toEqual([false])
  await mineAtOnce(true)
  const [outcome] = await outcomes
  expect(outcome).toMatchObject(settled)
  expect(hashes).not.toContain(outcome?.transaction)
  const Mined = z.object({ effectiveGasPrice: z.coerce.bigint() })
  const { effectiveGasPrice } = Mined.parse(await money.rpc('eth_getTransactionReceipt', [outcome?.transaction]))
  expect(effectiveGasPrice).toBeLessThan(4n * risen)
})

it('burns no gas for what somebody else has settled meanwhile, and moves on', async () => {
  const payment = await signPayment({ amount })
  // Revives late, so that somebody else settles first even on a busy machine: a transfer that comes between the check
  // of the facilitator and its sending would make it revert.
  const patient = await restart({ reviveAfterMs: 2_000, confirmationTimeoutMs: 10_000 })
  const { hashes, outcomes } = await sendUnmined([payment], patient.url)
  for (const hash of hashes) await money.rpc('anvil_dropTransaction', [hash])
  await mineAtOnce(true)
  await makeChainActions(money.rpcUrl).broadcast(payment)
  expect(await settle(await signPayment({ amount }), patient.url)).toMatchObject(settled)
  await outcomes
  await patient.close()
  const Block = z.object({ transactions: z.array(z.object({ hash: z.string(), from: z.string() })) })
  const newest = Number(await money.rpc('eth_blockNumber', []))
  for (let number = 0; number <= newest; number++) {
    const block = Block.parse(await money.rpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]))
    for (const { hash } of block.transactions)
      expect(await money.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  }
})

/** Starts another facilitator with the same key, as after a restart. */
async function restart({ rpcUrl = money.rpcUrl, ...waits }: Partial<typeof settlement> & { rpcUrl?: string } = {}) {
  const options = { rpcUrl, privateKey: gasKey.privateKey, pollingIntervalMs: 25, ...settlement, ...waits }
  return serveFacilitator(makeFacilitator(options), { port: await findUnusedPort() })
}

it('goes on after a restart, with transactions of the process before still in the network, one of them lost', async () => {
  const earlier = [await signPayment({ amount }), await signPayment({ amount }), await signPayment({ amount })]
  const before = await restart()
  const { hashes, outcomes } = await sendUnmined(earlier, before.url)
  outcomes.catch(() => undefined)
  await before.close()
  await money.rpc('anvil_dropTransaction', [hashes[1]])
  const later = await restart()
  await mineAtOnce(true)
  expect(await settle(await signPayment({ amount }), later.url)).toMatchObject(settled)
  expect(await settle(await signPayment({ amount }), later.url)).toMatchObject(settled)
  await later.close()
})

it('fills nonces that the node calls used although their transactions never get mined', async () => {
  const rpc = await startFaultyRpc(money.rpcUrl)
  rpc.lies = (method, [, block]) => (method === 'eth_getTransactionCount' && block === 'pending' ? '0x2' : undefined)
  const later = await restart({ rpcUrl: rpc.url })
  expect(await settle(await signPayment({ amount }), later.url)).toMatchObject(settled)
  await later.close()
  await rpc.close()
})

it('never moves money twice however often a settlement is repeated while transactions get lost', async () => {
  const payments = await Promise.all(Array.from({ length: 3 }, () => signPayment({ amount })))
  for (let round = 0; round < 3; round++) {
    await mineAtOnce(false)
    const asked = payments.map((payment) => settle(payment))
    await delay(150)
    for (const hash of await poolHashes()) await money.rpc('anvil_dropTransaction', [hash])
    await mineAtOnce(true)
    await Promise.all(asked)
  }
  await expect.poll(() => countOf(payments)).toEqual([true, true, true])
  expect(await money.transfersTo(testPayTo)).toHaveLength(3)
})
