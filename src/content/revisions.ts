interface Dated {
  readonly data: { readonly publishedAt: Date; readonly updatedAt?: Date | undefined }
}

/**
 * The posts without the dates of changes from before they came out, which readers never saw: whoever works on a post that
 * waits would have it come out with an older date than the feed has, so that who asks whether the feed has changed since
 * then hears that it has not.
 */
export const withoutEarlyRevisions = <Post extends Dated>(posts: readonly Post[]): Post[] =>
  posts.map((post) => {
    const { publishedAt, updatedAt } = post.data
    return updatedAt !== undefined && updatedAt <= publishedAt
      ? { ...post, data: { ...post.data, updatedAt: undefined } }
      : post
  })
