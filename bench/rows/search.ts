import { measureSearch, searchMeaning, searchMeasures } from '../measure-search.ts'
import type { Row, Sample } from '../row.ts'
import { makePosts, makeQueries } from '../search-corpus.ts'
import type { Server } from '../server.ts'
import { startPeer } from '../start-peer.ts'
import { startSearchSite } from '../start-search-site.ts'

const peers = ['MiniSearch', 'Orama'] as const

/** How fast a search is, alone and under a steady stream of them. */
export const search: Row = {
  title: 'Search',
  meaning: `500 queries of one to three words, frequent to rare, every fourth unfinished, over 10,000 generated posts of 500 words; an answer is the ten best with a snippet and the total. Ours is \`GET /api/search.json\` of the whole site program; each peer is an engine behind bare \`node:http\`, asked for all terms with the weights 2, 1 and 0.3 and given our snippets. ${searchMeaning} All answer unfinished words: our index merged what many words begin with when it was built. Five rounds.`,
  measures: searchMeasures,
  mostRounds: 5,
  goals: peers.map((peer) => ({ measure: 'queries', peer, is: 'at least', ratio: 1 })),
  async start(bench) {
    const posts = makePosts(bench.posts)
    const queries = makeQueries(posts, 500).map((query) => `?q=${encodeURIComponent(query)}`)
    const ours = await startSearchSite(bench, posts)
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
