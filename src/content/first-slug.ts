/** What of a post says what it was called. */
interface Called {
  readonly slug: string
  readonly data: { readonly aliases?: readonly string[] | undefined }
}

/**
 * What a post was called when it first came out here: by that its id is the same in feeds and podcasts for good, however
 * often it is renamed, so that nobody is shown it as a new one. Addresses of another kind, which it had elsewhere, were
 * never ids of ours.
 */
export const firstSlug = ({ slug, data: { aliases = [] } }: Called): string =>
  aliases.flatMap((alias) => /^\/posts\/([^/]+)$/.exec(alias)?.[1] ?? [])[0] ?? slug
