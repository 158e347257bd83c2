import { CompiledQuery, type RootOperationNode } from 'kysely'
import { expect, it } from 'vitest'
import { network } from '../../src/core/chain-constants.ts'
import type { Expected } from '../../src/payments/chain/witness.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { recordSale } from '../support/record-sale.ts'
import { signPayment } from '../support/signed-payments.ts'
import { isOnPostgres } from '../support/test-databases.ts'
import { openTestShop } from '../support/test-shop.ts'

const openLedger = (db: LedgerDatabase, now: () => number) =>
  makeLedger({ db, products: makeProductStore('/nonexistent'), owner: 'a test', now, newReceiptId })

async function open() {
  const clock = { ms: Date.now() }
  const chain = pretendChain(clock)
  const shop = await openTestShop({ chain, clock })
  return { ...shop, clock, chain, ledger: openLedger(shop.db, () => clock.ms) }
}

it('reads no bytes of products when payments and sales are compared with the chain', async () => {
  const { clock, chain, ledger, buyLeaflet } = await open()
  const buy = async (token: string) =>
    buyLeaflet((await signPayment({ amount: 100_000n, token, validBefore: Math.floor(clock.ms / 1000) + 300 })).header)
  expect((await buy('settled')).status).toBe(200)
  chain.faults.settle.push('pending')
  expect((await buy('settling')).status).toBe(503)
  clock.ms += 60_000
  const [sales, unfinished] = [await ledger.openSales(network, 10), await ledger.unattended()]
  expect([sales.length, unfinished.length]).toEqual([1, 1])
  const values = [...sales.map(({ row }) => row), ...unfinished].flatMap((row) => Object.values<unknown>(row))
  expect(values.filter((value) => value instanceof Uint8Array)).toEqual([])
})

it('checks a sale whose block is safe behind 500 older sales whose blocks are not', async () => {
  const { db, chain, payments } = await open()
  for (let number = 0; number <= 500; number++)
    await recordSale(db, number, { path: '/p', amount: '1', settledAt: number + 1 })
  await db.updateTable('sale').set({ network, finality: 'mined', block: 9 }).execute()
  await db.updateTable('sale').set({ block: 4 }).where('id', '=', 'r_500').execute()
  const asked: Expected[] = []
  chain.oracle.finality = async () => ({ safe: 5, final: 4 })
  chain.oracle.witness = async (expected) => {
    asked.push(expected)
    return { is: 'paid', transaction: '0xt', logIndex: 1, block: 4 }
  }
  await payments.reconcile()
  expect(asked.map(({ nonce }) => nonce)).toEqual(['0x500'])
  const { finality } = await db
    .selectFrom('sale')
    .select('finality')
    .where('id', '=', 'r_500')
    .executeTakeFirstOrThrow()
  expect(finality).toBe('final')
})

// The plans of PostgreSQL depend on how much is stored; the indexes are the same.
it.skipIf(isOnPostgres())('finds open sales by their index and does not read all sales of the network', async () => {
  const { db } = await open()
  const asked: RootOperationNode[] = []
  const watched = db.withPlugin({
    transformQuery({ node }) {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await openLedger(watched, Date.now).openSales(network, 10)
  const [first] = asked
  if (!first) throw new Error('nothing was asked')
  const { sql, parameters } = db.getExecutor().compileQuery(first, { queryId: 'plan' })
  const plan = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  expect(plan.rows.map(({ detail }) => detail)).toEqual(['SCAN sale USING INDEX sale_not_final'])
})

it('reverses no sale on the word of a node that has not reached its block', async () => {
  const { db, chain, payments } = await open()
  await recordSale(db, 1, { path: '/p', amount: '1', settledAt: 1 })
  await db.updateTable('sale').set({ network, finality: 'mined', block: 5 }).execute()
  chain.oracle.finality = async () => ({ safe: 5, final: 4 })
  const reversedAt = async (asOf: number) => {
    chain.oracle.witness = async () => ({ is: 'expired', asOf })
    await payments.reconcile()
    return (await db.selectFrom('sale').select('reversed_at').executeTakeFirstOrThrow()).reversed_at
  }
  expect(await reversedAt(4)).toBeNull()
  expect(await reversedAt(5)).not.toBeNull()
})

it.each([
  ['that only a facilitator reported, once two minutes have passed', { finality: 'claimed', block: null }, 120_000],
  ['whose block is safe, once that is final', { finality: 'safe', block: 5 }, 0],
] as const)('checks a sale %s', async (_, sale, waitMs) => {
  const { clock, db, chain, payments } = await open()
  await recordSale(db, 1, { path: '/p', amount: '1', settledAt: clock.ms })
  await db
    .updateTable('sale')
    .set({ network, ...sale })
    .execute()
  let asked = 0
  chain.oracle.witness = async () => {
    asked++
    return { is: 'unseen', cause: 'a test' }
  }
  chain.oracle.finality = async () => ({ safe: 9, final: 4 })
  clock.ms += Math.max(0, waitMs - 1)
  await payments.reconcile()
  expect(asked).toBe(0)
  chain.oracle.finality = async () => ({ safe: 9, final: 5 })
  clock.ms += 1
  await payments.reconcile()
  expect(asked).toBe(1)
})
