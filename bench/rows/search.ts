import { measureSearch, searchMeaning, searchMeasures } from '../measure-search.ts'
import type { Row, Sample } from '../row.ts'
import { makePosts, makeQueries } from '../search-corpus.ts'
import type { Server } from '../server.ts'
import { startPeer } from '../start-peer.ts'
import { startSearchSite } from '../start-search-site.ts'

const peers = ['MiniSearch', 'Orama'] as const

/** The speed of the search, at full load and at a steady pace. */
export const search: Row = {
  title: 'Search',
  meaning: `500 queries of one to three words, frequent to rare, every fourth unfinished, over 10,000 generated posts of 500 words; an answer is the ten best with a snippet and the total. Ours is \`GET /api/search.json\` of the whole site program; each peer is an engine behind bare \`node:http\`, asked for all terms with the weights 2, 1 and 0.3 and given our snippets. ${searchMeaning} All answer unfinished words: our index merged what many words begin with when it was built. Five rounds.`,
  measures: searchMeasures,
  mostRounds: 5,
  goals: peers.map((peer) => ({ measure: 'queries', peer, is: 'at least', ratio: 1 })),
  causes: [
    {
      measure: 'p99 at 200/s',
      because:
        'Ten of a thousand queries decide it. The same queries over ten times as many posts took 10.5 ms in the same hour, where one round follows the other; here our site rests for half a minute between two rounds, while the others search, and the memory of the machine is theirs. Tried, 2026-11-26: a bit for each row of frequent words, blocks that are left unread, and one transaction for all reading, which took that row from 258 ms to this, brought nothing here; and that an engine ends what it was asked before our round begins, because Orama kept a processor for six seconds of it: 28 ms in place of 37, within the spread; and searches without Astro, whose hits are given back at once, in a site with room for 4 MB of young objects: 11.4 ms in place of 28 in runs of this row alone. In the whole run of that day, where other rows come before it, it took 23 ms.',
      profile: {
        of: 'the site during this row, its start among it, by --cpu-prof, on a busy machine, 2026-11-26, before searches were answered without Astro',
        percent: {
          'the search': 23,
          "Astro's endpoint and what it is bundled with": 15,
          'writing to sockets': 13,
          "Node's fetch, Request and Response": 8,
          'garbage collection': 5,
          'our HTTP': 3,
          'the rest': 33,
        },
      },
    },
  ],
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
