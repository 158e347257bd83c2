interface Dated {
  readonly data: { readonly publishedAt: Date; readonly updatedAt?: Date | undefined }
}

/**
 * Removes `updatedAt` where it is not after `publishedAt`, because readers never saw that change. Otherwise a post that
 * was edited before its publication would enter the feed with a date older than the feed's, and a conditional request
 * would be told that nothing has changed.
 */
export const withoutEarlyRevisions = <Post extends Dated>(posts: readonly Post[]): Post[] =>
  posts.map((post) => {
    const { publishedAt, updatedAt } = post.data
    return updatedAt !== undefined && updatedAt <= publishedAt
      ? { ...post, data: { ...post.data, updatedAt: undefined } }
      : post
  })
