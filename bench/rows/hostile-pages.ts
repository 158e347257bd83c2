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
/** One in a hundred is slow by definition: a few hundred waits make that a figure and not an accident. */
const purchasesPerRound = 5
const meanwhile = 'wait for other routes meanwhile, p99'
const took = 'the purchase'

/** What makes readers slow that build trees, look back or copy. */
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
/** A few kilobytes on the way, two megabytes when they arrive. */
const pages = Array.from({ length: count }, (_, at) => {
  const unit = units[at % units.length] ?? ''
  return gzipSync(`${at} ${unit.repeat(Math.ceil(pageBytes / unit.length))}`.slice(0, pageBytes))
})
const routes = ['/', '/api/catalog.json', '/api/search.json?q=payment', '/posts/anatomy-of-a-402', '/healthz']

/** Whether a purchase that means harm is felt by anybody else. */
export const hostilePages: Row = {
  title: 'Hostile pages',
  meaning: `One buyer has ${count} pages packed, each ${pageBytes / 1e6} MB of what makes readers of HTML slow (open elements, half comments, entities), sent compressed, ${purchasesPerRound} times in a round. Until each bundle is delivered, five other routes of the same site are asked ${perSecond} times a second together: the front page, a post, the catalog, search, \`/healthz\`. Five rounds.`,
  measures: [
    { name: meanwhile, unit: 'ms', digits: 1, limit: { is: 'at most', figure: 50 } },
    { name: took, unit: 'ms', digits: 0 },
  ],
  goals: [],
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

/** A signed purchase; called, it answers with the time at which the whole bundle was there. */
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
