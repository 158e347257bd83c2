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
        'A query takes one processor for a millisecond and the longest for seven, and those that come meanwhile wait for it. Tried, in the process alone on a slow machine that others used as well: a bit for each row of frequent words, of which 32 are joined in one step, in place of lists that are unpacked, the best that a block of rows has, so that most blocks are left unread, and one transaction for all reading (together 4.1 to 1.2 ms a query, the longest of a hundred 16 to 7 ms); the rows of titles and excerpts alone, without the best of blocks (up to three times as long for single words that nearly all posts have); memory for hits of 5, 10 and 20 MB (no difference that can be told; 10 are kept); pages of 16 KB in the index (none either).',
      profile: {
        of: 'of 2,500 queries in the process alone, by --cpu-prof, 2026-11-26',
        percent: {
          'joining and ranking': 36,
          snippets: 20,
          'reading documents': 19,
          'reading hits': 10,
          'garbage collection': 6,
          'looking up terms': 5,
        },
      },
    },
    {
      measure: memory,
      because:
        'The index takes little of it: in a process by itself these queries end at 135 to 145 MB. The rest is young objects of V8, which are collected late under load, most of them the texts of documents and their snippets. Tried: hits in a quarter of their bytes (no difference here, because buffers are freed with young objects); hits that are read where they lie, without a copy for each query (186 KB a query in place of 268, half as many collections, and the same resident memory); 4 MB for hits that are kept in place of 16 (some 14 MB less); young objects in 4 MB in place of 16 (`--max-semi-space-size`, 174 MB in place of 253), which is not done, because purchases took about a tenth more processor time with it.',
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
