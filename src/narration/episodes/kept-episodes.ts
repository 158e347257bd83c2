import type { Episode } from './episode.ts'
import { openEpisodeStore } from './episode-store.ts'

/** The last narration of each of these posts in a folder, by slug, as far as there are any. */
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
