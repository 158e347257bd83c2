import { smallMemory } from '../../src/core/small-memory.ts'
import { residentMb } from '../../tests/support/resident-mb.ts'
import { measureSearch, searchMeaning, searchMeasures } from '../measure-search.ts'
import type { Row } from '../row.ts'
import { makePosts, makeQueries } from '../search-corpus.ts'
import { startSearchSite } from '../start-search-site.ts'

const memory = 'resident after the load'
/** Beside what the row of all engines has, which others could not hold: Orama takes a gigabyte for ten thousand posts. */
const times = 10

/** How large a site may grow before its search asks for a larger machine. */
export const searchSize: Row = {
  title: 'Search in 100,000 posts',
  meaning: `The same queries to the whole site program over 100,000 generated posts of 500 words. ${searchMeaning} *Resident* is the memory of the process as \`ps\` shows it, at the end of the round, in the environment of our units of systemd. No engine beside it: those of the row above keep their index in memory. Three rounds.`,
  measures: [...searchMeasures, { name: memory, unit: 'MB', digits: 0, limit: { is: 'at most', figure: 150 } }],
  mostRounds: 3,
  goals: [],
  causes: [
    {
      measure: `p99 at 200/s`,
      because:
        'Where a machine answers hardly more than 200 queries a second, queries wait for each other. Tried: hits are kept in a quarter of their bytes, so that more of them stay in memory (4.3 to 4.2 ms a query in the process alone, on a slow machine); relevance is calculated only for documents whose score may be among the first (4.2 to 2.9 ms); less memory for hits, 4 MB in place of 16 (a quarter fewer answers; 8 MB are kept).',
      profile: {
        of: 'of 2,000 queries in the process alone, by --cpu-prof, 2026-11-25',
        percent: {
          'reading hits': 24,
          'what all terms have': 20,
          'texts and snippets': 16,
          'looking up beginnings': 17,
          'choosing the first': 9,
        },
      },
    },
    {
      measure: memory,
      because:
        'The index takes little of it: in a process by itself these queries end at 135 to 145 MB. The rest is young objects of V8, which are collected late under load. Tried: hits in a quarter of their bytes (no difference here, because buffers are freed with young objects); 4 MB for hits that are kept in place of 16 (some 14 MB less); young objects in 4 MB in place of 16 (`--max-semi-space-size`, 174 MB in place of 253), which is not done, because purchases took about a tenth more processor time with it.',
    },
  ],
  async start(bench) {
    const posts = makePosts(bench.posts * times)
    const queries = makeQueries(posts, 500).map((query) => `?q=${encodeURIComponent(query)}`)
    const { origin, pid } = await startSearchSite(bench, posts, smallMemory)
    const urls = queries.map((query) => `${origin}/api/search.json${query}`)
    const ours = async () => {
      const sample = await measureSearch(urls, bench.seconds)
      return { ...sample, [memory]: residentMb(pid) }
    }
    return { ours, peers: {} }
  },
}
