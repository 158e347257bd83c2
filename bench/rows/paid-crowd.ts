import { cpuMicros } from '../cpu-time.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { readBought, signPurchases } from '../sign-purchases.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath, startReference } from '../start-reference.ts'
import { askPatiently } from './ledger-size.ts'

const hono = '@x402/hono'
const buyers = 64

/** How many sales a shop makes when many buyers come at once. */
export const paidCrowd: Row = {
  title: `${buyers} buyers at once`,
  meaning: `${buyers} buyers, each with a wallet of its own that has signed already, send the paid request for a skill at the same moment and read the answer to its last byte. Where a shop has too much to do and says so, uncharged, its buyer asks again half a second later; that time counts.`,
  measures: [
    { name: 'purchases', unit: '/s', digits: 1 },
    { name: 'server CPU per purchase', unit: 'ms', digits: 1 },
  ],
  goals: [
    { measure: 'purchases', peer: hono, is: 'at least', ratio: 2 },
    { measure: 'server CPU per purchase', peer: hono, is: 'at most', ratio: 1.3 },
  ],
  causes: [
    {
      measure: 'purchases',
      because:
        'Buyers, chain and facilitator have the same two cores, so that what a purchase takes of the processor decides here as well: see the whole paid request. If the other shop keeps both cores busy, which was not measured, its own processor time is a twentieth of a purchase, and a shop that took none would sell 1.05 times as fast. Tried, in short rounds on a machine whose speed changed: a place for each of 64 buyers of a skill in place of 32, so that none is sent away for half a second (0.77, 0.69 and 0.71 against 0.69: no difference that can be told); no wait for the disk at all (`synchronous=off`: 0.79 and 0.70 against 0.69 and 0.71, within the spread), which is the most that sales could sell faster by sharing one wait; all reads of the chain that are asked for at once as one request (JSON-RPC batches: 0.81 against 0.70 and 0.76, and 3.3 times the processor time of the other shop against 4.4 and 4.3, within the spread), which was not built either, because sales at an RPC that answers no batches, or short ones alone, would be left without the proof that they were paid. Since 2026-11-28 a purchase takes less than half of the processor time that it took (see the whole paid request), and the newest block is asked for once for all who come within half a minute. Since 2026-11-29 sales that are recorded at the same moment share a commit: 0.7 commits a sale in place of 2.',
    },
    {
      measure: 'server CPU per purchase',
      because:
        'As in the whole paid request; what each purchase costs is less when many come at once, on both sides. Tried on 2026-11-29, all in turns: sales that are recorded at the same moment share a commit, which is how it is now (5.2 ms in place of 6.3, beside 3.9 of the other shop; 7.1 in place of 8.0 in an hour in which the machine was slower); a product of 27 KB outside the row of its payment, which is written twice (6.2 in place of 7.1, with the product in memory; in a table or a file of its own it would be less, and backups, moves and what removes old products would have to know it: not built); and more room for young objects, 16 MB in each half in place of 4 (4.2 in place of 4.7, then 8.4 beside 8.7: not taken, for 10 MB more memory under load).',
    },
  ],
  async start(bench) {
    const ours = await startOurSite(bench)
    const reference = await startReference(bench, ours)
    // Warms up: a shop that has just started runs code that is not compiled yet.
    for (const shop of [ours, reference]) await buyAtOnce(bench, shop)
    return { ours: () => buyAtOnce(bench, ours), peers: { [hono]: () => buyAtOnce(bench, reference) } }
  },
}

async function buyAtOnce(bench: Bench, { origin, pid }: Server): Promise<Sample> {
  const url = origin + skillPath
  const signed = await signPurchases(bench, url, buyers)
  const [before, from] = [cpuMicros(pid), performance.now()]
  await Promise.all(signed.map(async (header) => readBought(await askPatiently(url, header))))
  const seconds = (performance.now() - from) / 1000
  return { purchases: buyers / seconds, 'server CPU per purchase': (cpuMicros(pid) - before) / buyers / 1000 }
}
