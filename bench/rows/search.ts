import { cpSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { SearchDocument } from '../../src/search/search-document.ts'
import { writeSearchIndex } from '../../src/search/write-search-index.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { askRepeatedly } from '../ask-repeatedly.ts'
import { measureWaits } from '../measure-waits.ts'
import type { Bench, Row, Sample } from '../row.ts'
import { makePosts, makeQueries } from '../search-corpus.ts'
import type { Server } from '../server.ts'
import { startOurSite } from '../start-our-site.ts'
import { startPeer } from '../start-peer.ts'

const perSecond = 200
/** One query in a hundred is slow by definition: a thousand queries make the slowest ten a figure and not an accident. */
const streams = 5
/** A slow engine is still at what it was asked in its round, and would take a processor from the next one. */
const restMs = 2000
const connections = 4
const peers = ['MiniSearch', 'Orama'] as const
const slowest = `p99 at ${perSecond}/s`

/** How fast a search is, alone and under a steady stream of them. */
export const search: Row = {
  title: 'Search',
  meaning: `500 queries of one to three words, frequent to rare, every fourth unfinished, over 10,000 generated posts of 500 words; an answer is the ten best with a snippet and the total. Ours is \`GET /api/search.json\` of the whole site program; each peer is an engine behind bare \`node:http\`, asked for all terms with the weights 2, 1 and 0.3 and given our snippets. *queries* is what ${connections} connections get. *p50* and *p99* are from the moment a query was due, at ${perSecond} a second whether or not the ones before it are answered; what is not answered a second after the round counts with the time it has waited. All answer unfinished words: our index merged what many words begin with when it was built. Five rounds.`,
  measures: [
    { name: 'queries', unit: '/s', digits: 0 },
    { name: `p50 at ${perSecond}/s`, unit: 'ms', digits: 2 },
    { name: slowest, unit: 'ms', digits: 2, limit: { is: 'at most', figure: 20 } },
  ],
  mostRounds: 5,
  goals: peers.map((peer) => ({ measure: 'queries', peer, is: 'at least', ratio: 1 })),
  async start(bench) {
    const posts = makePosts(bench.posts)
    const queries = makeQueries(posts, 500).map((query) => `?q=${encodeURIComponent(query)}`)
    const ours = await startSiteOf(bench, posts)
    const measure = (server: Server, path: string) => () =>
      measureSearch(
        queries.map((query) => server.origin + path + query),
        bench.seconds,
      )
    const contenders: Record<string, () => Promise<Sample>> = {}
    for (const engine of peers) {
      const program = new URL('../peers/search-engine.ts', import.meta.url)
      contenders[engine] = measure(await startPeer(bench, program, { engine, posts: bench.posts }), '/')
    }
    return { ours: measure(ours, '/api/search.json'), peers: contenders }
  },
}

/** Our site with the search index of these posts in place of its own. */
async function startSiteOf(bench: Bench, posts: readonly SearchDocument[]): Promise<Server> {
  const build = bench.newFolder()
  cpSync(bench.build, build, { recursive: true })
  const { search: index } = buildFiles(build)
  rmSync(index)
  writeSearchIndex(index, posts)
  return startOurSite({ ...bench, build })
}

async function measureSearch(urls: readonly string[], seconds: number): Promise<Sample> {
  await delay(restMs)
  const { answers, ...measured } = await askRepeatedly({ urls, status: 200, connections, ms: seconds * 1000 })
  const waits = await measureWaits({ urls, perSecond, seconds: seconds * streams })
  const quantile = (part: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? Number.NaN
  return {
    queries: answers / measured.seconds,
    [`p50 at ${perSecond}/s`]: quantile(0.5),
    [slowest]: quantile(0.99),
  }
}
