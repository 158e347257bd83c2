import type { Episode, NarratedPost } from './episode.ts'

/**
 * Keeps in memory which narrations can be heard, by post and in the order of the posts. Storage is up to its caller.
 */
export function makeEpisodeShelf(first: readonly NarratedPost[]) {
  let posts = first
  let published = new Set(first.map(({ slug }) => slug))
  let episodes: ReadonlyMap<string, Episode> = new Map()
  let bySlug = new Map<string, Episode>()
  let version = 0

  /** Replaces all narrations by these (by storage key). A post whose present text has none keeps its newest one. */
  function show(next: ReadonlyMap<string, Episode>): void {
    const newest = new Map<string, Episode>()
    for (const episode of next.values())
      if (episode.createdAt > (newest.get(episode.slug)?.createdAt ?? '')) newest.set(episode.slug, episode)
    episodes = next
    bySlug = new Map(
      posts.flatMap(({ slug, storageKey }) => {
        const episode = next.get(storageKey) ?? newest.get(slug)
        return episode ? [[slug, episode]] : []
      }),
    )
    version += 1
  }

  return {
    show,
    posts: () => posts,
    isPublished: (slug: string) => published.has(slug),
    /** By storage key. */
    episodes: () => episodes,
    find: (slug: string) => bySlug.get(slug),
    /**
     * Whether a narration is of an earlier text of a post whose present text was narrated before `before` (Unix ms).
     */
    isReplaced({ slug, storageKey }: Pick<Episode, 'slug' | 'storageKey'>, before: number): boolean {
      const heard = bySlug.get(slug)
      const isOfText = posts.some((post) => post.storageKey === heard?.storageKey)
      return heard !== undefined && isOfText && heard.storageKey !== storageKey && Date.parse(heard.createdAt) < before
    },
    all: () => [...bySlug.values()],
    version: () => version,
    /** Sets the published posts, newest first. */
    publish(next: readonly NarratedPost[]): void {
      posts = next
      published = new Set(next.map(({ slug }) => slug))
    },
    /** Sorts the known narrations again after the posts have changed, although no new narration has come. */
    arrange: (): void => show(new Map([...episodes].filter(([, { slug }]) => published.has(slug)))),
  }
}
