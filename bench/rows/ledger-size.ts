import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuMicros } from '../cpu-time.ts'
import { fillLedger } from '../fill-ledger.ts'
import { median } from '../median.ts'
import { startBenchPostgres } from '../postgres-shop.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { readBought, signPurchases } from '../sign-purchases.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath } from '../start-reference.ts'

const [few, many] = [10_000, 1_000_000]
const smaller = 'with 10,000 sales'

interface Shop extends Server {
  /** Processor time of everything involved in sales so far, in microseconds. */
  readonly usedMicros: () => number
}

const measures = [
  { name: 'CPU per purchase', unit: 'ms', digits: 1 },
  { name: 'median latency', unit: 'ms', digits: 1 },
]
const goals = [{ measure: 'CPU per purchase', peer: smaller, is: 'at most', ratio: 1.2 }] as const
const meaning = (books: string) =>
  `The same paid request, in a shop that has sold a million times in the last year and in one that has sold 10,000 times, with its books in ${books}. Ratios are those of the larger to the smaller.`

/** Whether a purchase costs more in a ledger that is a hundred times as large. */
export const ledgerSize: Row = {
  title: 'A million sales in SQLite',
  meaning: meaning('SQLite'),
  measures,
  goals,
  start: (bench) =>
    startBoth(bench, async (count) => {
      const dataDir = bench.newFolder()
      await fillLedger({ file: join(dataDir, 'ledger.db') }, count)
      const site = await startOurSite(bench, { DATA_DIR: dataDir })
      return { ...site, usedMicros: () => cpuMicros(site.pid) }
    }),
}

/** The same where the books are in PostgreSQL, whose own work counts. */
export const ledgerSizePostgres: Row = {
  title: 'A million sales in PostgreSQL',
  meaning: `${meaning('PostgreSQL')} The server's processor time counts, too.`,
  measures,
  goals,
  async start(bench) {
    const server = await startBenchPostgres(bench)
    return startBoth(bench, async (count) => {
      const url = await server.makeDatabase(`sold_${count}`)
      await fillLedger({ file: '', url }, count)
      const site = await startOurSite(bench, { DATABASE_URL: url })
      return { ...site, usedMicros: () => cpuMicros(site.pid) + server.cpuMicros() }
    })
  },
}

async function startBoth(bench: Bench, start: (count: number) => Promise<Shop>) {
  const [large, small] = [await start(many), await start(few)]
  // Warms up: a shop that has just started runs code that is not compiled yet.
  for (const shop of [large, small]) await buyRepeatedly(bench, shop, 6 * bench.purchases)
  const buy = (shop: Shop) => () => buyRepeatedly(bench, shop, bench.purchases)
  return { ours: buy(large), peers: { [smaller]: buy(small) } }
}

/** Sends a paid request, and repeats it every 0.5 s while the shop answers 503, which a busy machine may cause. */
export async function askPatiently(url: string, header: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
    if (answer.status !== 503) return answer
    await answer.arrayBuffer()
    await delay(500)
  }
}

async function buyRepeatedly(bench: Bench, { origin, usedMicros }: Shop, purchases: number): Promise<Sample> {
  const url = origin + skillPath
  const signed = await signPurchases(bench, url, purchases)
  const latencies: number[] = []
  const before = usedMicros()
  for (const header of signed) {
    const from = performance.now()
    const answer = await askPatiently(url, header)
    await readBought(answer)
    latencies.push(performance.now() - from)
  }
  return { 'CPU per purchase': (usedMicros() - before) / purchases / 1000, 'median latency': median(latencies) }
}
