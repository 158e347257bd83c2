import type { Episode } from './episode.ts'
import { openEpisodeStore } from './episode-store.ts'

/** Reads the newest narration in a folder of each of these posts, by slug; posts without one are left out. */
export async function readKeptEpisodes(
  folder: string,
  posts: readonly { readonly slug: string }[],
): Promise<Map<string, Episode>> {
  const store = await openEpisodeStore(
    folder,
    posts.map(({ slug }) => ({ slug, storageKey: '' })),
  )
  try {
    return new Map(
      posts.flatMap(({ slug }) => {
        const episode = store.find(slug)
        return episode ? [[slug, episode] as const] : []
      }),
    )
  } finally {
    store.close()
  }
}
