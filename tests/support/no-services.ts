import type { Episodes } from '../../src/narration/episodes/episode.ts'
import type { Services } from '../../src/site/services.ts'

/** Fails a test that calls it. */
export const unused = () => Promise.reject(new Error('not part of this test'))

/** The services behind a front that is tested with no other service than its narrations. */
export const noServicesBut = (episodes: Episodes): Services => ({
  paid: () => unused,
  paidOffers: () => [],
  receipt: unused,
  statistics: unused,
  search: () => ({ query: '', total: 0, results: [] }),
  episodes,
  builtAt: new Date(0).toISOString(),
  heardPosts: () => [],
  voices: () => ({ engine: 'embedded', default: '', count: 0, voices: [] }),
  voiceSamples: { voiceIds: [], get: unused },
  mcp: unused,
  library: {
    shelf: unused,
    toMessage: () => '',
    listFor: unused,
    giveMessage: unused,
    signIn: unused,
    signOut: unused,
    json: unused,
    csv: unused,
    download: unused,
  },
  searchTranscripts: () => ({ ok: true, query: '', count: 0, hits: [] }),
  newsletter: undefined,
  status: unused,
  problem: () => new Response(null, { status: 599 }),
})
