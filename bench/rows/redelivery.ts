import { cpuMicros } from '../cpu-time.ts'
import { median } from '../median.ts'
import type { Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { readBought, signPurchases } from '../sign-purchases.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath } from '../start-reference.ts'

const first = 'the first delivery'
/** Repeats of each request, because one response costs too little to be measured alone. */
const repeats = 10

/** The cost of delivering a product again after its response was lost. */
export const redelivery: Row = {
  title: 'Delivery of what was paid',
  meaning: `A buyer whose answer was lost sends the identical paid request again, ${repeats} times, one after the other, beside the request that bought. Nothing is settled or signed again; each delivery is counted in the ledger before it is sent.`,
  measures: [
    { name: 'median latency', unit: 'ms', digits: 2 },
    { name: 'server CPU per answer', unit: 'ms', digits: 2 },
  ],
  goals: [
    { measure: 'median latency', peer: first, is: 'at most', ratio: 0.1 },
    { measure: 'server CPU per answer', peer: first, is: 'at most', ratio: 0.1 },
  ],
  causes: [
    {
      measure: 'server CPU per answer',
      because:
        'Each delivery is a whole HTTP request, whose payment is read and checked, and which finds its sale, its product and its receipt in the ledger and is counted there. Tried: deliveries are counted without waiting for the disk; what was signed last is kept, so that a receipt is not signed again; statements are prepared once, and their text is written once (what the ledger does for a delivery took 0.21 and 0.22 ms of processor time in place of 0.31 and 0.36, old and new in turns); the payment of an identical request is not read again, and the request goes neither through Astro nor through the requests and answers of the web. The last three together, old and new in turns on a busy machine, 2026-11-26: 1.88 ms of processor time in place of 6.61 in six rounds, 1.92 in place of 4.43 in three, and 0.07 of a first delivery in place of 0.19 and 0.16. This profile is of before them.',
      profile: {
        of: '9,600 deliveries at the site, from its sources, by --cpu-prof, on a busy machine, 2026-11-26',
        percent: {
          'sending (the system)': 24,
          'Astro, its requests and answers': 17,
          SQLite: 13,
          'reading the payment': 9,
          'writing the answer': 8,
          'building queries (Kysely)': 7,
          'our payments': 7,
          'garbage collection': 5,
          "Node's HTTP server": 3,
          'the receipt': 2,
          'the rest': 5,
        },
      },
    },
  ],
  async start(bench) {
    const shop = await startOurSite(bench)
    let bought: string[] = []
    const buy = async (purchases = bench.purchases): Promise<Sample> => {
      const signed = await signPurchases(bench, shop.origin + skillPath, purchases)
      const sample = await askInTurn(shop, signed)
      bought = signed
      return sample
    }
    const again = () => askInTurn(shop, Array(repeats).fill(bought).flat())
    // Warms up: a shop that has just started runs code that is not compiled yet.
    await buy(6 * bench.purchases)
    await again()
    return { ours: again, peers: { [first]: () => buy() } }
  },
}

async function askInTurn({ origin, pid }: Server, headers: readonly string[]): Promise<Sample> {
  const latencies: number[] = []
  const before = cpuMicros(pid)
  for (const header of headers) {
    const from = performance.now()
    await readBought(await fetch(origin + skillPath, { headers: { 'PAYMENT-SIGNATURE': header } }))
    latencies.push(performance.now() - from)
  }
  const used = cpuMicros(pid) - before
  return { 'median latency': median(latencies), 'server CPU per answer': used / headers.length / 1000 }
}
