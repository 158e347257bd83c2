interface Dated {
  data: { draft: boolean; publishedAt: Date }
}

/** What the public may see, newest first. The one place that knows about drafts and posts of the future. */
export const publishedPosts = <Post extends Dated>(posts: readonly Post[], now: Date): Post[] =>
  posts
    .filter(({ data }) => !data.draft && data.publishedAt <= now)
    .toSorted((a, b) => b.data.publishedAt.getTime() - a.data.publishedAt.getTime())
