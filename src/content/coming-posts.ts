import { toRedirects } from './aliases.ts'
import { groupBySeries } from './series.ts'

interface Text {
  /** Where it is, or will be. */
  readonly path: string
  readonly aliases: readonly string[]
}

type Part = Parameters<typeof groupBySeries>[0][number]

interface Site<Post extends Part> {
  /** Posts that are published, posts that will be, and pages. */
  readonly texts: readonly Text[]
  /** The posts among them, newest first. */
  readonly posts: readonly Post[]
}

/**
 * Holds posts that come out by themselves to what is published: what would stop the build that they come out with, when
 * nobody looks, stops the one that they are written in.
 *
 * @throws Error of sentences, when a post will claim an address or a place in a series that another text has
 */
export function checkComing<Post extends Part>({ texts, posts }: Site<Post>): void {
  groupBySeries(posts)
  const redirects = toRedirects(texts)
  const taken = texts.flatMap(({ path }) => {
    const other = redirects[encodeURI(path)]
    return other === undefined ? [] : [`${path} is an alias of ${decodeURI(other)} and has a page; remove the alias`]
  })
  if (taken.length > 0) throw new Error(taken.join('\n'))
}
