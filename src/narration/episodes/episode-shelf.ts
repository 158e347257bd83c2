import type { Episode, NarratedPost } from './episode.ts'

/** The narrations that can be heard, by post and in the order of the posts. Where they are kept is somebody else's. */
export function makeEpisodeShelf(first: readonly NarratedPost[]) {
  let posts = first
  let published = new Set(first.map(({ slug }) => slug))
  let episodes: ReadonlyMap<string, Episode> = new Map()
  let bySlug = new Map<string, Episode>()
  let version = 0

  /** Shows these, by their keys, and no others. */
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
    /** Whether something is the narration of an earlier text of a post, whose present text was narrated before a time. */
    isReplaced({ slug, storageKey }: Pick<Episode, 'slug' | 'storageKey'>, before: number): boolean {
      const heard = bySlug.get(slug)
      const isOfText = posts.some((post) => post.storageKey === heard?.storageKey)
      return heard !== undefined && isOfText && heard.storageKey !== storageKey && Date.parse(heard.createdAt) < before
    },
    all: () => [...bySlug.values()],
    version: () => version,
    /** From now on these posts are published, newest first. */
    publish(next: readonly NarratedPost[]): void {
      posts = next
      published = new Set(next.map(({ slug }) => slug))
    },
    /** What is shown may have another place or another key, although nothing has come. */
    arrange: (): void => show(new Map([...episodes].filter(([, { slug }]) => published.has(slug)))),
  }
}
