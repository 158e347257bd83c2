import { describe, expect, it } from 'vitest'
import { network } from '../../src/core/chain-constants.ts'
import { forgetRuns } from '../../src/jobs/forget-runs.ts'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { forget } from '../../src/payments/ledger/forget.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { makeRetention } from '../../src/site/clear-out.ts'
import { announce } from '../../src/webhooks/announce.ts'
import { numberedSale } from '../support/numbered-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

const day = 24 * 60 * 60 * 1000
const start = Date.UTC(2026, 0, 1)

async function open() {
  const clock = { ms: start }
  const db = await openTestLedger()
  const now = () => clock.ms
  const ledger = makeLedger({ db, products: makeProductStore('/nonexistent'), owner: 'here/1', now, newReceiptId })
  return { clock, db, now, ledger, chainTime: async () => clock.ms }
}

describe('the retention of payments', () => {
  it('drops the bytes of a product that can no longer be fetched, but neither its row nor its sale', async () => {
    const { clock, db, now, ledger, chainTime } = await open()
    const { claim, product, transaction } = numberedSale(1)
    const lease = await ledger.claim(claim)
    if (!lease) throw new Error('not claimed')
    await ledger.keepForSettlement(lease, product, 1)
    await ledger.recordSale(lease, { transaction: transaction })
    clock.ms = start + 7 * day
    expect(await forget({ ledger, now, chainTime })).toEqual({ products: 0, payments: 0 })
    expect(await ledger.find(claim.key)).toMatchObject({ body: expect.anything() })
    clock.ms += 1
    expect(await forget({ ledger, now, chainTime })).toEqual({ products: 1, payments: 0 })
    expect(await ledger.find(claim.key)).toMatchObject({ state: 'settled', body: null })
    clock.ms += 1000 * day
    expect(await forget({ ledger, now, chainTime })).toEqual({ products: 0, payments: 0 })
    expect(await db.selectFrom('sale').selectAll().execute()).toHaveLength(1)
  })

  it('drops nothing that is old by our own clock only, which may be ahead, or while the chain’s time is unknown', async () => {
    const { clock, now, ledger } = await open()
    const { claim, product, transaction } = numberedSale(1)
    const lease = await ledger.claim(claim)
    if (!lease) throw new Error('not claimed')
    await ledger.keepForSettlement(lease, product, 1)
    await ledger.recordSale(lease, { transaction })
    clock.ms += 400 * day
    const forgetAt = (chainMs: number) => forget({ ledger, now, chainTime: async () => chainMs })
    expect(await forgetAt(start + 7 * day)).toEqual({ products: 0, payments: 0 })
    const silent = () => Promise.reject(new Error('the RPC is away'))
    await expect(forget({ ledger, now, chainTime: silent })).rejects.toThrow('the RPC is away')
    expect(await ledger.find(claim.key)).toMatchObject({ body: expect.anything() })
    clock.ms = start + 6 * day
    // Nothing is old by either clock, so that the chain is not asked.
    expect(await forget({ ledger, now, chainTime: silent })).toEqual({ products: 0, payments: 0 })
    expect(await forgetAt(start + 400 * day)).toEqual({ products: 0, payments: 0 })
    clock.ms = start + 8 * day
    expect(await forgetAt(start + 8 * day)).toEqual({ products: 1, payments: 0 })
  })

  it('drops a few rows at a time, so that requests run in between', async () => {
    const { clock, db, now, ledger, chainTime } = await open()
    const { claim, product, transaction } = numberedSale(1)
    for (let number = 0; number < 50; number++) {
      const lease = await ledger.claim({ ...claim, key: `k${number}`, identifier_hash: null })
      if (!lease) throw new Error('not claimed')
      await ledger.keepForSettlement(lease, product, 1)
      await ledger.recordSale(lease, { transaction: transaction })
    }
    clock.ms += 8 * day
    let others = 0
    let next: NodeJS.Immediate | undefined
    const wait = () => {
      others += 1
      next = setImmediate(wait)
    }
    next = setImmediate(wait)
    expect(await forget({ ledger, now, chainTime })).toEqual({ products: 50, payments: 0 })
    clearImmediate(next)
    expect(others).toBeGreaterThanOrEqual(2)
    expect(await db.selectFrom('payment').select('key').where('body', 'is not', null).execute()).toEqual([])
  })

  it('drops failed payments of long ago, unless their authorization could still be used', async () => {
    const { clock, now, ledger, chainTime } = await open()
    const seconds = (ms: number) => Math.floor(ms / 1000)
    const claims = [seconds(start + day), seconds(start + 300 * day)].map((valid_before, number) => ({
      ...numberedSale(number).claim,
      valid_before,
    }))
    for (const claim of claims) {
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('not claimed')
      await ledger.keepForSettlement(lease, numberedSale(1).product, 1)
      await ledger.recordFailure(lease, 'refused')
    }
    clock.ms = start + 90 * day
    expect((await forget({ ledger, now, chainTime })).payments).toBe(0)
    clock.ms = start + 92 * day
    expect((await forget({ ledger, now, chainTime })).payments).toBe(1)
    expect(await ledger.find(claims[0]?.key ?? '')).toBeUndefined()
    expect(await ledger.find(claims[1]?.key ?? '')).toMatchObject({ state: 'failed' })
  })

  it('keeps a payment whose sale was reversed, and still drops the others', async () => {
    const { clock, now, ledger, chainTime } = await open()
    const claims = [1, 2].map((number) => ({ ...numberedSale(number).claim, valid_before: 1 }))
    for (const [at, claim] of claims.entries()) {
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('not claimed')
      await ledger.keepForSettlement(lease, numberedSale(1).product, 1)
      if (at === 1) await ledger.recordFailure(lease, 'refused')
      else await ledger.recordSale(lease, { transaction: numberedSale(1).transaction })
    }
    const [sale] = await ledger.openSales(network, 1)
    if (!sale) throw new Error('no sale')
    await ledger.reverseSale(sale, 'settlement_reversed_void', false)
    // The payment identifier can be used for another order at once.
    expect(await ledger.find(claims[0]?.key ?? '')).toMatchObject({ state: 'failed', identifier_hash: null })
    clock.ms += 1000 * day
    expect(await forget({ ledger, now, chainTime })).toEqual({ products: 0, payments: 1 })
    expect(await ledger.find(claims[0]?.key ?? '')).toBeDefined()
  })

  it('keeps everything that waits for its buyer or for the chain', async () => {
    const { clock, db, now, ledger, chainTime } = await open()
    for (const [number, keep] of [ledger.keepReady, ledger.keepForSettlement].entries()) {
      const { claim, product } = numberedSale(number)
      const lease = await ledger.claim({ ...claim, valid_before: 1 })
      if (lease) await keep(lease, product, 1)
    }
    clock.ms += 1000 * day
    await forget({ ledger, now, chainTime })
    const rows = await db.selectFrom('payment').select(['state', 'body']).execute()
    expect(rows.map(({ state, body }) => [state, body !== null])).toEqual([
      ['ready', true],
      ['settling', true],
    ])
  })
})

it('drops the history of jobs after 90 days, of maintenance jobs after 7, and never the last run', async () => {
  const { clock, db, now } = await open()
  const runs = makeJobRuns({ db, owner: 'here/1', now })
  const runOnce = async (job: string) => {
    const run = await runs.begin({ job, dueAt: clock.ms })
    if ('id' in run) await runs.end(run, { state: 'succeeded', result: '{}' })
  }
  const names = ['monthly-backup', 'reconcile']
  for (let at = start; at <= start + 100 * day; at += 5 * day) {
    clock.ms = at
    for (const name of names) await runOnce(name)
  }
  const left = async () =>
    Promise.all(names.map(async (name) => (await runs.findLast(name, 100)).map((run) => (run.due_at - start) / day)))
  await forgetRuns(db, clock.ms)
  const [backups = [], reconciled] = await left()
  expect([backups.at(-1), backups.length, reconciled]).toEqual([10, 19, [100, 95]])
  await forgetRuns(db, clock.ms + 1000 * day)
  expect(await left()).toEqual([[100], [100]])
})

describe('the daily run', () => {
  const never = new AbortController().signal
  const done = async () => {}
  const away = (what: string) => () => Promise.reject(new Error(`${what} is away`))

  it('drops every kind even if another fails, and then fails with all errors', async () => {
    const { db } = await open()
    await db.insertInto('webhook_receiver').values({ id: 1, since: start }).execute()
    await announce(db, { type: 'job.failed', at: start, data: { job: 'a', error: 'no' } })
    const logged: object[] = []
    const run = makeRetention({
      db,
      payments: { forget: away('the bucket of products') },
      backups: { prune: away('the disk of backups') },
      clear: away('the storage'),
      log: (event, fields) => logged.push({ event, ...fields }),
    })
    await expect(run(never, done)).rejects.toThrow(
      /^not cleared out: payments and their products, backups, what is kept in the storage; Error: the bucket .* away; .*disk.*; .*the storage is away$/,
    )
    expect(logged).toEqual([
      { event: 'retention.ran', ...{ products: 0, payments: 0, runs: 0, backups: 0, webhooks: 1 } },
    ])
    expect(await db.selectFrom('webhook_message').select('id').execute()).toEqual([])
  })

  it('drops failed payments and bytes in the ledger if the files of products cannot be reached', async () => {
    const { clock, db, now, chainTime } = await open()
    const products = { ...makeProductStore('/nonexistent'), keepOnly: away('the folder') }
    const ledger = makeLedger({ db, products, owner: 'here/1', now, newReceiptId })
    for (const number of [1, 2]) {
      const { claim, product, transaction } = numberedSale(number)
      const lease = await ledger.claim({ ...claim, valid_before: 1 })
      if (!lease) throw new Error('not claimed')
      await ledger.keepForSettlement(lease, product, 1)
      if (number === 1) await ledger.recordFailure(lease, 'refused')
      else await ledger.recordSale(lease, { transaction })
    }
    clock.ms += 1000 * day
    await expect(forget({ ledger, now, chainTime })).rejects.toThrow('the folder is away')
    const rows = await db.selectFrom('payment').select(['state', 'body']).execute()
    expect(rows).toEqual([{ state: 'settled', body: null }])
  })

  it('stops at once when aborted, and reports nothing about the rest', async () => {
    const { db } = await open()
    const stop = new AbortController()
    const run = makeRetention({
      db,
      payments: { forget: async () => ({ products: 0, payments: 0 }) },
      backups: {
        prune: async () => {
          stop.abort(new Error('the program ends'))
          throw new Error('cut off')
        },
      },
      log: () => expect.unreachable(),
    })
    await expect(run(stop.signal, done)).rejects.toThrow('the program ends')
  })
})
