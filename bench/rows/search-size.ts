import { smallMemory } from '../../src/core/small-memory.ts'
import { residentMb } from '../../tests/support/resident-mb.ts'
import { measureSearch, searchMeaning, searchMeasures } from '../measure-search.ts'
import type { Row } from '../row.ts'
import { makePosts, makeQueries } from '../search-corpus.ts'
import { startSearchSite } from '../start-search-site.ts'

const memory = 'resident after the load'
/** Times as many posts as in the row with other engines, which cannot hold more: Orama takes 1 GB for 10,000 posts. */
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
        "Most of it is room that V8 takes for young objects and does not give back under load: two halves of up to 64 MB, which double with what survives a collection, here 32 MB after the start and 126 after three rounds. The rest is Node itself (60 MB, shared with other programs of it), what the start leaves (60) and what lies beside V8's heap (20). Sampled in the process each second, 2026-11-26, on a busy machine, at the end of the third round: 300 MB before. Done: hits are given back when they are not kept any more (buffers of 40 MB became 20; V8 took them for old, and collects those only when much has come together, so that less room for young objects made it worse: 236 MB with 4 MB in each half); searches are answered without Astro, of whose requests some 16 KB each stayed as old (with both 202 MB, and 2.1 ms of processor time a query in place of 3.0; old objects then grow by 3 KB a query in place of 20); 4 MB of hits are kept in place of 10, and spaces in snippets are not replaced by themselves (173 KB of garbage a query in the search in place of 198; 201 MB). Our units and the image let young objects have 4 MB in each half now, with which purchases take as much processor time as without (1.01 times over 11 rounds in turns, with nobody else on the machine). Tried and not done: 1 or 2 MB of hits without giving them back (176 to 212 MB with young objects in 8 or 16 MB: no less). On 2026-11-29 it was 160 MB in two runs, with the same code as in that of 141 MB: an hour in which memory that is touched first took 16 µs a page. Words that are asked for once pushed out those of every query, and what was pushed out had become old, 3 KB for each query; now a word is kept when it is asked for again before as much was read as is kept. In the process alone, old and new after each other: 0.6 ms of processor time a query in place of 1.1, 8 pages of memory cleared in place of 31, and a third of the growth.",
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
