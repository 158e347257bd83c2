import { gzipSync } from 'node:zlib'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { openPretendWeb } from '../../tests/support/pretend-web.ts'
import { sign } from '../../tests/support/stock-client.ts'
import { measureWaits } from '../measure-waits.ts'
import { median } from '../median.ts'
import type { Row, Sample } from '../row.ts'
import type { Server } from '../server.ts'
import { startOurSite } from '../start-our-site.ts'

const { privateKey } = sandboxAccounts.buyer
const count = 20
const pageBytes = 2_000_000
const host = 'hostile.test'
const path = '/api/x402/llms/pack'
const perSecond = 100
/** Several purchases per round, because p99 needs a few hundred waits. */
const purchasesPerRound = 5
const meanwhile = 'wait for other routes meanwhile, p99'
const took = 'the purchase'

/** Markup that slows down readers that build trees, backtrack or copy. */
const units = [
  '<div>',
  '<svg><foreignObject>',
  '<table><tr><td>',
  '<ul><li>',
  '<',
  '<!--',
  '&amp;',
  '<b><i>',
  '<p>x',
  '`',
]
/** Pages of a few compressed kilobytes that unpack to two megabytes. */
const pages = Array.from({ length: count }, (_, at) => {
  const unit = units[at % units.length] ?? ''
  return gzipSync(`${at} ${unit.repeat(Math.ceil(pageBytes / unit.length))}`.slice(0, pageBytes))
})
const routes = ['/', '/api/catalog.json', '/api/search.json?q=payment', '/posts/anatomy-of-a-402', '/healthz']

/** Whether a purchase of hostile pages slows down other requests. */
export const hostilePages: Row = {
  title: 'Hostile pages',
  meaning: `One buyer has ${count} pages packed, each ${pageBytes / 1e6} MB of what makes readers of HTML slow (open elements, half comments, entities), sent compressed, ${purchasesPerRound} times in a round. Until each bundle is delivered, five other routes of the same site are asked ${perSecond} times a second together: the front page, a post, the catalog, search, \`/healthz\`. Five rounds.`,
  measures: [
    { name: meanwhile, unit: 'ms', digits: 1, limit: { is: 'at most', figure: 50 } },
    { name: took, unit: 'ms', digits: 0 },
  ],
  goals: [],
  causes: [
    {
      measure: meanwhile,
      because:
        'Pages are unpacked and read in two processes beside the site, and on two cores these, the buyer, the server that the pages come from, and whoever asks share the time with it. On a busy machine the figure was anything from 139 to 361 ms by the same program. Tried there, 2026-11-26, in two or three rounds each: readers that stand back by 10 steps of niceness 259 ms in the mean in place of 278; by 19 steps 288 and 350, and one reader in place of two 405 and 451, where the site as it is had 139 and 261. That is no more than the machine differs from itself, and a reader that stands back may miss the two seconds that a page has, so that nothing was changed. On 2026-11-29 the site ran with the malloc settings of `deploy` for the first time in this row, and memory that is touched first took 16 µs a page: each purchase had 31,000 pages cleared in the site, and took 1.5 s of its processor time; with malloc that keeps up to 64 MB, 600 and 0.7 s, and 27 to 39 ms in three rounds of six, 102 to 205 in the others. That was not taken, because the memory would stay with the site. Pages are unpacked where they are read since then: 1,500 pages of memory, 0.3 s of processor time in the site, and 50 and 57 ms in two rounds after 255 in the first. Later that day, in turns, four rounds after the first: 21 to 80 ms with blocks of 32 KB mapped by themselves, 31 to 41 with 128 KB; 64 KB are in.',
      profile: {
        of: 'one round at the site itself, its start among it, by --cpu-prof, on a busy machine, 2026-11-26',
        percent: {
          "Node's HTTP server, streams, zlib, messages to the readers": 38,
          'the code of the site': 27,
          'writing to sockets': 9,
          'garbage collection': 6,
          fetch: 5,
          'schemas (Zod)': 4,
          'the rest': 11,
        },
      },
    },
  ],
  mostRounds: 5,
  async start(bench) {
    const web = await openPretendWeb({
      [host]: Object.fromEntries(
        pages.map((body, at) => [`/${at}`, { headers: { 'content-encoding': 'gzip' }, body }] as const),
      ),
    })
    bench.started.defer(() => web.close())
    const site = await startOurSite(bench, { EGRESS_TEST_HOSTS: web.egress(host), EGRESS_TEST_CA: web.caFile })
    return { ours: () => measureMeanwhile(site), peers: {} }
  },
}

async function measureMeanwhile(site: Server): Promise<Sample> {
  const urls = routes.map((route) => site.origin + route)
  const waits: number[] = []
  const times: number[] = []
  for (let purchases = 0; purchases < purchasesPerRound; purchases++) {
    const purchase = await prepare(site)
    let isOver = false
    const from = performance.now()
    const bought = purchase().finally(() => {
      isOver = true
    })
    while (!isOver) waits.push(...(await measureWaits({ urls, perSecond, seconds: 0.5 })))
    times.push((await bought) - from)
  }
  const sorted = waits.toSorted((a, b) => a - b)
  return { [meanwhile]: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN, [took]: median(times) }
}

/**
 * Signs a purchase and returns a function that makes it and resolves with the time when the whole bundle had arrived.
 */
async function prepare({ origin }: Server): Promise<() => Promise<number>> {
  const urls = pages.map((_, at) => `https://${host}/${at}`)
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ urls }) }
  const { header } = await sign(origin + path, init, { privateKey })
  return async () => {
    const answer = await fetch(origin + path, { ...init, headers: { ...init.headers, 'PAYMENT-SIGNATURE': header } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered a payment with ${answer.status}: ${text}`)
    return performance.now()
  }
}
