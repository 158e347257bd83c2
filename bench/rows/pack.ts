import { setTimeout as delay } from 'node:timers/promises'
import makePack from '../../functions/llms-pack/make.ts'
import { readConfig } from '../../src/config/config.ts'
import { makeRequestSignatures } from '../../src/fetching/request-signatures.ts'
import { openFetching } from '../../src/site/open-engines.ts'
import { openPretendWeb, type PretendPage } from '../../tests/support/pretend-web.ts'
import { savedPages } from '../../tests/support/saved-pages.ts'
import type { Row } from '../row.ts'

const count = 20
const slowestMs = 1000
const alone = 'the slowest page alone'
const together = `${count} pages together`
const beyond = 'beyond 1.2 times the slowest'
const host = 'pages.test'

/** A page that is answered after a while, later than the one before it. */
const slowPage =
  (at: number): PretendPage =>
  async (_, response) => {
    await delay((slowestMs * (at + 1)) / count)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(savedPages[at]?.html ?? '')
  }

/** Whether many pages take longer than the slowest of them. */
export const pack: Row = {
  title: 'Packer',
  meaning: `The packer's own work on ${count} pages of a local server, over TLS and through the guarded fetch, without payment: page *n* of ${count} is answered after *n* times ${slowestMs / count} ms. All are fetched at once, read by two worker processes and set as one text. Our aim is 1.2 times the slowest page and 100 ms. Five rounds.`,
  measures: [
    { name: alone, unit: 'ms', digits: 0 },
    { name: together, unit: 'ms', digits: 0 },
    { name: beyond, unit: 'ms', digits: 0, limit: { is: 'at most', figure: 100 } },
  ],
  goals: [],
  mostRounds: 5,
  async start({ started }) {
    const pages = Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${at}`, slowPage(at)]))
    const web = await openPretendWeb({ [host]: pages })
    started.defer(() => web.close())
    const config = readConfig({ EGRESS_TEST_HOSTS: web.egress(host), EGRESS_TEST_CA: web.caFile })
    const { sign } = makeRequestSignatures({ secret: 'of a benchmark', agent: config.baseUrl, now: Date.now })
    const make = makePack({
      guardedFetch: openFetching(config, sign),
      now: () => new Date(),
      onClose: (close) => started.defer(close),
    })
    const time = async (places: readonly number[]): Promise<number> => {
      const from = performance.now()
      const urls = places.map((at) => `https://${host}/${at}`)
      const { headers } = await make({ urls, maxCharsPerPage: 20_000 }, AbortSignal.timeout(60_000), 'no payment')
      if (headers?.['X-Pack-Failed'] !== '0') throw new Error('a page was not packed')
      return performance.now() - from
    }
    const ours = async () => {
      const slowest = await time([count - 1])
      const all = await time(Array.from({ length: count }, (_, at) => at))
      return { [alone]: slowest, [together]: all, [beyond]: all - 1.2 * slowest }
    }
    return { ours, peers: {} }
  },
}
