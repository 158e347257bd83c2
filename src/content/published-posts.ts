import { byId } from './by-id.ts'

interface Dated {
  id: string
  data: { draft: boolean; publishedAt: Date }
}

/** The posts that the public may see, newest first: no drafts, and none that is due after `now`. */
export const publishedPosts = <Post extends Dated>(posts: readonly Post[], now: Date): Post[] =>
  allPosts(posts.filter(({ data }) => !data.draft && data.publishedAt <= now))

/** All posts, newest first; posts of the same instant are sorted by id, so that every machine gets the same order. */
export const allPosts = <Post extends Dated>(posts: readonly Post[]): Post[] =>
  posts.toSorted((a, b) => b.data.publishedAt.getTime() - a.data.publishedAt.getTime() || byId(a, b))
