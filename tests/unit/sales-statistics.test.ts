import { CompiledQuery, type RootOperationNode } from 'kysely'
import { expect, it } from 'vitest'
import { showStore } from '../../game-server/store/show-store.ts'
import { makeOperatorTools } from '../../src/oauth/operator-tools.ts'
import { makeSalesStatistics } from '../../src/stats/sales-statistics.ts'
import { recordSale } from '../support/record-sale.ts'
import { isOnPostgres, openTestLedger } from '../support/test-databases.ts'

const day = 24 * 60 * 60 * 1000
const noon = Date.parse('2026-03-31T12:00:00Z')

async function open(ownWallets: string[] = []) {
  const db = await openTestLedger()
  const clock = { ms: noon }
  const statistics = makeSalesStatistics({
    db,
    ownWallets,
    now: () => clock.ms,
  })
  let count = 0
  const sell = async (path: string, amount: string, settledAt: number, payer = '0xbuyer', offerId = path) => {
    count++
    await recordSale(db, count, { path, amount, settledAt, payer, offerId })
  }
  return { clock, statistics, sell }
}

it('for a new shop are empty, with thirty zero days that end today (UTC)', async () => {
  const { statistics } = await open()
  const { last30Days, ...rest } = await statistics.read()
  expect(rest).toEqual({
    totalTransactions: 0,
    lastSaleAt: null,
    topResources: [],
    updatedAt: new Date(noon).toISOString(),
  })
  expect(last30Days).toHaveLength(30)
  expect([last30Days[0], last30Days.at(-1)]).toEqual([
    { date: '2026-03-02', count: 0 },
    { date: '2026-03-31', count: 0 },
  ])
})

it('count settled sales by path and day, largest revenue first, cents rounded down', async () => {
  const { statistics, sell } = await open()
  await sell('/a', '60000', noon - 40 * day)
  await sell('/b', '55555', noon - day)
  await sell('/b', '55555', noon)
  const figures = await statistics.read()
  expect(figures).toMatchObject({
    totalTransactions: 3,
    lastSaleAt: new Date(noon).toISOString(),
    topResources: [
      { path: '/b', count: 2, totalCents: 11 },
      { path: '/a', count: 1, totalCents: 6 },
    ],
  })
  expect(figures.last30Days.slice(-2).map(({ count }) => count)).toEqual([1, 1])
})

it('leave out the publisher and the game store', async () => {
  const { statistics, sell } = await open(['0xown'])
  await sell('/a', '60000', noon, '0xown')
  await sell('/a', '3000000', noon, '0xbuyer', 'store/tip_3')
  expect((await statistics.read()).totalTransactions).toBe(0)
})

it('are cached for five minutes, and recomputed when a sale settles', async () => {
  const { clock, statistics, sell } = await open()
  await statistics.read()
  await sell('/a', '60000', noon)
  expect((await statistics.read()).totalTransactions).toBe(0)
  clock.ms += 5 * 60 * 1000
  expect((await statistics.read()).totalTransactions).toBe(1)
  await sell('/a', '60000', noon)
  statistics.renew()
  expect((await statistics.read()).totalTransactions).toBe(2)
})

// PostgreSQL chooses a plan by table size; the indexes are the same.
it.skipIf(isOnPostgres())('scan no sales table, however many sales there are', async () => {
  const db = await openTestLedger()
  const asked: RootOperationNode[] = []
  const watched = db.withPlugin({
    transformQuery({ node }) {
      asked.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await makeSalesStatistics({ db: watched, ownWallets: ['0xown'], now: () => noon }).read()
  await showStore({ db: watched, wallet: { payTo: '0xb', asset: '0xc' }, now: () => noon })
  const jobs = { names: [], run: () => Promise.reject(new Error('there are no jobs')) }
  const [report] = makeOperatorTools({ db: watched, jobs, now: () => noon })
  await report?.run({ days: 3650 })
  const executor = db.getExecutor()
  const plans = await Promise.all(
    asked.map(async (node) => {
      const { sql: text, parameters } = executor.compileQuery(node, { queryId: String(asked.indexOf(node)) })
      return db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`, [...parameters]))
    }),
  )
  const steps = plans.flatMap(({ rows }) => rows.map(({ detail }) => detail))
  expect(steps.length).toBeGreaterThan(4)
  expect(steps.filter((step) => /^SCAN (?:sale|payment)\b(?!.* USING )/.test(step))).toEqual([])
})

it('are recomputed if the clock was set back, not cached until it catches up', async () => {
  const { clock, statistics, sell } = await open()
  expect((await statistics.read()).totalTransactions).toBe(0)
  await sell('/a', '60000', noon)
  clock.ms -= day
  expect((await statistics.read()).totalTransactions).toBe(1)
})
