import { cpuMicros } from '../cpu-time.ts'
import { median } from '../median.ts'
import type { Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { readBought, signPurchases } from '../sign-purchases.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath } from '../start-reference.ts'

const first = 'the first delivery'
/** One answer costs too little to be measured by itself. */
const repeats = 10

/** What it takes to send a product again whose answer was lost. */
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
        'Each delivery is a whole HTTP request, whose payment is read and checked, and which finds its sale, its product and its receipt in the ledger and is counted there. Tried: deliveries are counted without waiting for the disk; what was signed last is kept, so that a receipt is not signed again; statements are prepared once.',
      profile: {
        of: '2,100 deliveries at the site, from its sources, by --cpu-prof, 2026-11-25, before signed receipts were kept',
        percent: {
          SQLite: 19,
          'sending (the system)': 11,
          'reading the payment': 8,
          'signing the receipt': 7,
          'garbage collection': 4,
          "the rest, most of it Node's HTTP server and Astro's requests and answers": 51,
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
    // A shop that has just started runs code that is not compiled yet.
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
