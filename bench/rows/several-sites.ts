import { cpuMicros } from '../cpu-time.ts'
import { startBenchPostgres } from '../postgres-shop.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { readBought, signPurchases } from '../sign-purchases.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath } from '../start-reference.ts'
import { askPatiently } from './ledger-size.ts'

/** Concurrent buyers; each buys again as soon as it has its product. */
const buyers = 12

/** Several sites on one database. */
interface Shop {
  readonly sites: readonly Server[]
  /** Processor time of everything involved in sales so far, in microseconds. */
  readonly usedMicros: () => number
}

/** What a second and a third site contribute. */
export const severalSites: Row = {
  title: 'Several sites on one PostgreSQL',
  meaning: `${buyers} buyers at once at three sites that share one database, beside one site and two. Chain, facilitator, buyers and database run on the same cores and take most of them, so that here more sites can bring little; processor time per purchase tells what sites cost each other. Ratios are those of three sites to fewer.`,
  measures: [
    { name: 'purchases per second', unit: '', digits: 1, better: 'more' },
    { name: 'CPU per purchase', unit: 'ms', digits: 1 },
  ],
  goals: [{ measure: 'CPU per purchase', peer: 'one site', is: 'at most', ratio: 1.2 }],
  async start(bench) {
    const server = await startBenchPostgres(bench)
    const open = async (count: number): Promise<Shop> => {
      const url = await server.makeDatabase(`sites_${count}`)
      const settings = { DATABASE_URL: url, FARTHING_SECRET: 'a secret that all of them are given alike' }
      const sites: Server[] = []
      for (let at = 0; at < count; at++) sites.push(await startOurSite(bench, settings))
      return { sites, usedMicros: () => sites.reduce((sum, { pid }) => sum + cpuMicros(pid), server.cpuMicros()) }
    }
    const [one, two, three] = [await open(1), await open(2), await open(3)]
    // Warms up: a shop that has just started runs code that is not compiled yet.
    for (const shop of [one, two, three]) for (let turn = 0; turn < 3; turn++) await sell(shop, bench)
    return {
      ours: () => sell(three, bench),
      peers: { 'one site': () => sell(one, bench), 'two sites': () => sell(two, bench) },
    }
  },
}

async function sell({ sites, usedMicros }: Shop, bench: Bench): Promise<Sample> {
  const count = bench.purchases * sites.length * 2
  const waiting: { url: string; header: string }[] = []
  const signed = await signPurchases(bench, `${sites[0]?.origin}${skillPath}`, count)
  // A payment is valid at every site of the shop.
  for (const [at, header] of signed.entries())
    waiting.push({ url: `${sites[at % sites.length]?.origin}${skillPath}`, header })
  const before = usedMicros()
  const from = performance.now()
  const buy = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await readBought(await askPatiently(next.url, next.header))
    }
  }
  await Promise.all(Array.from({ length: buyers }, buy))
  const seconds = (performance.now() - from) / 1000
  return { 'purchases per second': count / seconds, 'CPU per purchase': (usedMicros() - before) / count / 1000 }
}
