/** The fields of a post that hold its present and former names. */
interface Called {
  readonly slug: string
  readonly data: { readonly aliases?: readonly string[] | undefined }
}

/**
 * The slug under which a post was first published on this site. Feeds and podcasts derive its id from it, so that a
 * renamed post is not shown to subscribers as a new one. Aliases of another form than `/posts/…` come from other sites
 * and were never ids here.
 */
export const firstSlug = ({ slug, data: { aliases = [] } }: Called): string =>
  aliases.flatMap((alias) => /^\/posts\/([^/]+)$/.exec(alias)?.[1] ?? [])[0] ?? slug
