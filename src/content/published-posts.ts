interface Dated {
  data: { draft: boolean; publishedAt: Date }
}

/** What the public may see, newest first. The one place that knows about drafts and posts of the future. */
export const publishedPosts = <Post extends Dated>(posts: readonly Post[], now: Date): Post[] =>
  allPosts(posts.filter(({ data }) => !data.draft && data.publishedAt <= now))

/** What the author may see, newest first. */
export const allPosts = <Post extends Dated>(posts: readonly Post[]): Post[] =>
  posts.toSorted((a, b) => b.data.publishedAt.getTime() - a.data.publishedAt.getTime())
