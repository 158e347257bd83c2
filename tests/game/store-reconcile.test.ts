import { afterEach, expect, it, vi } from 'vitest'
import { network } from '../../src/core/chain-constants.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { recordSale } from '../support/record-sale.ts'
import { openTestStore } from '../support/test-store.ts'

afterEach(() => void vi.useRealTimers())

/** A store with two sales to check, on a chain that answers questions about sales when told to. */
async function open() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const chain = pretendChain({ ms: Date.now() })
  const store = await openTestStore({ money: chain })
  for (const number of [1, 2]) await recordSale(store.db, number, { path: '/p', amount: '1', settledAt: number })
  await store.db.updateTable('sale').set({ network, finality: 'mined', block: 1 }).execute()
  const waiting: (() => void)[] = []
  chain.oracle.finality = async () => ({ safe: 1, final: 0 })
  chain.oracle.witness = async ({ nonce }) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return { is: 'paid', transaction: '0xt', logIndex: Number(nonce), block: 1 }
  }
  const answer = async () => {
    await expect.poll(() => waiting).not.toEqual([])
    waiting.shift()?.()
  }
  return { ...store, waiting, answer }
}

it('begins no second look at payments while the first still waits for the chain', async () => {
  const { waiting, answer, close, db } = await open()
  vi.advanceTimersByTime(15_000)
  await expect.poll(() => waiting).toHaveLength(1)
  vi.advanceTimersByTime(60_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(waiting).toHaveLength(1)
  await answer()
  await answer()
  await expect
    .poll(() => db.selectFrom('sale').select('finality').execute())
    .toEqual([{ finality: 'safe' }, { finality: 'safe' }])
  await db.updateTable('sale').set({ finality: 'mined' }).execute()
  vi.advanceTimersByTime(15_000)
  await answer()
  await answer()
  await close()
})

it('ends the look at one sale before it closes, and begins none at the next', async () => {
  const { answer, waiting, close, db, logged } = await open()
  vi.advanceTimersByTime(15_000)
  await expect.poll(() => waiting).toHaveLength(1)
  const closed = close()
  await answer()
  await closed
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([waiting, logged]).toEqual([[], []])
  const sales = await db.selectFrom('sale').select('finality').orderBy('id').execute()
  expect(sales.map(({ finality }) => finality)).toEqual(['safe', 'mined'])
})
