import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JobOutcome } from '../../src/jobs/run-job.ts'
import { makeOperatorTools } from '../../src/oauth/operator-tools.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { numberedSale } from '../support/numbered-sale.ts'
import { recordSale } from '../support/record-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

const at = Date.parse('2026-11-22T12:00:00Z')
const dayMs = 24 * 60 * 60 * 1000
const outcomes = new Map<string, Promise<JobOutcome<unknown>>>([
  ['quick', Promise.resolve({ is: 'ran', result: { tables: 3 } })],
  ['broken', Promise.resolve({ is: 'failed', error: new Error(`the disk is full 0x${'ab'.repeat(65)}`) })],
  ['taken', Promise.resolve({ is: 'busy', owner: 'another process' })],
  ['slow', new Promise(() => {})],
])

let db: LedgerDatabase
let run: (name: string, input?: object) => Promise<Record<string, unknown>>

beforeAll(async () => {
  db = await openTestLedger()
  const jobs = {
    names: [...outcomes.keys()],
    run: (name: string) => outcomes.get(name) ?? Promise.reject(new Error(`there is no job named ${name}`)),
  }
  const tools = makeOperatorTools({ db, jobs, now: () => at, patienceMs: 20 })
  run = async (name, input = {}) => (await tools.find((tool) => tool.name === name)?.run({ ...input })) ?? {}
  const sales = [
    ['pack', '60000', 1],
    ['image', '100000', 2],
    ['pack', '250000', 29],
    ['image', '100000', 31],
  ] as const
  for (const [number, [offerId, amount, days]] of sales.entries())
    await recordSale(db, number, { path: `/${offerId}`, offerId, amount, settledAt: at - days * dayMs })
})
afterAll(() => db.destroy())

it('reports the sales of the last days, largest first', async () => {
  expect(await run('sales_report')).toEqual({
    days: 30,
    since: '2026-10-24T00:00:00.000Z',
    reversed: { sales: 0, amountMicroUsd: '0', display: '$0.00' },
    sales: 3,
    amountMicroUsd: '410000',
    display: '$0.41',
    products: [
      { product: 'pack', sales: 2, amountMicroUsd: '310000', display: '$0.31' },
      { product: 'image', sales: 1, amountMicroUsd: '100000', display: '$0.10' },
    ],
  })
  expect(await run('sales_report', { days: 365 })).toMatchObject({ sales: 4, display: '$0.51' })
})

it('lists unsettled payments with age and next step, and nothing that could be used to pay', async () => {
  for (const [number, state] of (['settling', 'ready', 'working'] as const).entries()) {
    const { claim } = numberedSale(number)
    const made = {
      state,
      owner: 'o',
      lease_until: 0,
      fence: 1,
      body: Buffer.from('x'),
      created_at: at - 90_000 + number,
      deliveries: 0,
    }
    await db
      .insertInto('payment')
      .values({ ...claim, ...made, authorization: '{"signature":"0xsecret"}', token_hash: 'hash of a token' })
      .execute()
  }
  const listed = await run('list_unsettled')
  expect(listed).toMatchObject({
    count: 2,
    payments: [
      { state: 'settling', product: 'leaflet', amountMicroUsd: '100000', display: '$0.10', ageSeconds: 90 },
      { state: 'ready', next: expect.stringContaining('Nothing was charged'), validBefore: '2096-10-02T07:06:40.000Z' },
    ],
  })
  expect(JSON.stringify(listed)).not.toMatch(/secret|hash of/)
})

it('runs a job and reports its outcome, without waiting for a long one', async () => {
  expect(await run('run_job', { name: 'quick' })).toEqual({ name: 'quick', outcome: 'ran', result: { tables: 3 } })
  expect(await run('run_job', { name: 'taken' })).toEqual({ name: 'taken', outcome: 'busy' })
  expect(await run('run_job', { name: 'slow' })).toEqual({ name: 'slow', outcome: 'running' })
  const { error } = await run('run_job', { name: 'broken' })
  expect(error).toBe('Error: the disk is full [removed]')
  await expect(run('run_job', { name: 'rm -rf' })).rejects.toThrow()
})
