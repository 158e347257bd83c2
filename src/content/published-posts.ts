import { byId } from './by-id.ts'

interface Dated {
  id: string
  data: { draft: boolean; publishedAt: Date }
}

/** What the public may see, newest first. The one place that knows about drafts and posts of the future. */
export const publishedPosts = <Post extends Dated>(posts: readonly Post[], now: Date): Post[] =>
  allPosts(posts.filter(({ data }) => !data.draft && data.publishedAt <= now))

/** What the author may see, newest first; those of one day or instant by their names, in every place alike. */
export const allPosts = <Post extends Dated>(posts: readonly Post[]): Post[] =>
  posts.toSorted((a, b) => b.data.publishedAt.getTime() - a.data.publishedAt.getTime() || byId(a, b))
