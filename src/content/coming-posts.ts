import { toRedirects } from './aliases.ts'
import { groupBySeries } from './series.ts'

interface Text {
  /** Its present or future address. */
  readonly path: string
  readonly aliases: readonly string[]
}

type Part = Parameters<typeof groupBySeries>[0][number]

interface Site<Post extends Part> {
  /** Published posts, posts that are not due yet, and pages. */
  readonly texts: readonly Text[]
  /** The posts among them, newest first. */
  readonly posts: readonly Post[]
}

/**
 * Checks posts that are not due yet together with what is published. Otherwise a conflict would stop the automatic
 * build that publishes them, when nobody is watching; this way it stops the build that the author makes.
 *
 * @throws Error with one line per conflict, when a post will claim an address or a place in a series that another text
 * has
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
