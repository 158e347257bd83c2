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
