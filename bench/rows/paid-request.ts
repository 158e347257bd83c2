import { cpuMicros } from '../cpu-time.ts'
import { median } from '../median.ts'
import type { Bench, Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { readBought, signPurchases } from '../sign-purchases.ts'
import { earlierFolder, startEarlierSite } from '../start-earlier-site.ts'
import { startOurSite } from '../start-our-site.ts'
import { skillPath, startExpressReference, startReference } from '../start-reference.ts'

const hono = '@x402/hono'
const express = '@x402/express'
const earlier = 'earlier'

/** The time and cost of a sale from the moment the buyer has signed. */
export const paidRequest: Row = {
  title: 'Whole paid request',
  meaning: `A buyer that has signed already sends the paid request for a skill, which its wallet does not own yet, and reads the answer to its last byte; one purchase after the other, each settled on a local chain by the same facilitator. Ours keeps the product and the payment in SQLite with \`synchronous=FULL\` on a disk before money moves, and asks the chain itself whether it was paid; \`@x402/hono\` and \`@x402/express\` keep nothing.`,
  measures: [
    { name: 'median latency', unit: 'ms', digits: 1 },
    { name: 'server CPU per purchase', unit: 'ms', digits: 1 },
  ],
  goals: [
    { measure: 'median latency', peer: hono, is: 'at most', ratio: 1.1 },
    { measure: 'server CPU per purchase', peer: hono, is: 'at most', ratio: 1.3 },
    ...(earlierFolder === undefined
      ? []
      : [{ measure: 'median latency', peer: earlier, is: 'at most' as const, ratio: 1.1 }]),
  ],
  causes: [
    {
      measure: 'median latency',
      because:
        'Ours waits for the disk and asks the chain itself before it answers; the other does neither. Beside the facilitator and the chain, which both wait for, that is the whole difference. Tried, in 16 rounds of 15 purchases each on a slow machine, 2026-11-25: no wait for the disk at all (`synchronous=off`) takes 1.17 times as long as the other shop, in place of 1.20; no look at the chain after the settlement 1.21; neither of the two 1.15. What was left was processor time, of which a sale takes less than half since 2026-11-28 (see below): in turns with the other shop it took 1.05, 1.05, 1.09 and 1.10 times as long in short runs, and 1.11, 1.06 and 1.12 in those of this row. Of 52.6 ms, the facilitator has 46, commits 2 and the chain 1 (median of 119 purchases, by the clock of the site).',
    },
    {
      measure: 'server CPU per purchase',
      because:
        'Ours writes the payment down before each step, keeps product and receipt, signs the receipt, and asks the chain itself whether it was paid; the other keeps and asks nothing. Tried: signatures are recovered only where two purchases of a wallet meet, deliveries are counted without waiting for the disk, and a sale has fewer statements (12 % less together); the text of statements is written once, where Kysely built them for each sale (all that the ledger does for a sale took 2.65 and 2.63 ms of processor time in place of 4.57 and 5.18, old and new in turns, 2026-11-26), the text of a skill is read once, and the request does not go through Astro (a whole purchase, old and new in turns on a busy machine, 2026-11-26: 24.1 ms in place of 34.0 in six rounds, 26.8 and 26.0 in three, 26.9 in place of 35.3 in four with two sites of each). Of what the ledger does now, three fifths are the two commits that wait for the disk; products of 300 bytes in place of 27,000 take 0.4 ms off it, so that to keep equal products once was not built. A question before the insert for webhooks, which most shops do not have, brought nothing in four rounds. Since 2026-11-28 facilitator and chain are asked by the HTTP client of Node.js in place of fetch and the transport of viem, which built a request, an error and a deadline for each question before it was sent (9.5 and 8.9 ms a purchase in place of 13.6 and 12.6, in turns); the newest block is asked for once in half a minute, the event loop is looked at 20 times a second in place of 200, and messages are written only where somebody is to be told (8.1 ms in place of 9.3, in turns). Options of V8 made no difference that could be told: a larger young generation, baseline code at once, no optimizing compiler, one thread for garbage. Since 2026-11-29 malloc gives memory back 1 MB at a time, and maps blocks of 32 KB and more by themselves, not those of 16 KB: with the settings before, and with those of the system, the site had 250 pages of memory cleared for each sale (built program, in turns: 9.1 ms in place of 15.5, and 9.5 in place of 15.4 where blocks of 128 KB and more were mapped, which costs 4 MB when idle; until then this row was measured with the settings of the system, under which a site that had just started had few of them or hundreds). The other shop has the same with either (6.8 ms and 6.7). Left: the row of a payment holds the product, and is written again with it when it is settled (27 KB, 0.2 ms); 50 pages are written to the log of SQLite for a sale, which takes 0.2 ms.',
      profile: {
        of: '230 purchases at the site, from its sources, by --cpu-prof without what waits, each sample by the nearest cause, 2026-11-28',
        percent: {
          'SQLite, its waits for the disk among it': 35,
          "Node's HTTP: server, client, sending": 23,
          'our payments': 16,
          'the rest of Node.js': 9,
          'Zod, viem, x402': 6,
          'garbage collection': 3,
          Kysely: 3,
          'the rest': 5,
        },
      },
    },
  ],
  async start(bench) {
    const ours = await startOurSite(bench)
    const reference = await startReference(bench, ours)
    const onExpress = await startExpressReference(bench, ours)
    const isHere = typeof onExpress === 'object'
    const before = earlierFolder === undefined ? undefined : await startEarlierSite(bench, earlierFolder)
    // Warms up: a shop that has just started runs code that is not compiled yet, and most sales are not the first ones.
    const shops = [ours, reference, ...(isHere ? [onExpress] : []), ...(before ? [before] : [])]
    for (const shop of shops) await buyRepeatedly(bench, shop, 6 * bench.purchases)
    const buy = (shop: Server) => () => buyRepeatedly(bench, shop, bench.purchases)
    return {
      ours: buy(ours),
      peers: {
        [hono]: buy(reference),
        ...(isHere && { [express]: buy(onExpress) }),
        ...(before && { [earlier]: buy(before) }),
      },
      missing: isHere ? {} : { [express]: onExpress },
    }
  },
}

async function buyRepeatedly(bench: Bench, { origin, pid }: Server, purchases: number): Promise<Sample> {
  const url = origin + skillPath
  const signed = await signPurchases(bench, url, purchases)
  const latencies: number[] = []
  const before = cpuMicros(pid)
  for (const header of signed) {
    const from = performance.now()
    const answer = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
    await readBought(answer)
    latencies.push(performance.now() - from)
  }
  const used = cpuMicros(pid) - before
  return { 'median latency': median(latencies), 'server CPU per purchase': used / purchases / 1000 }
}
