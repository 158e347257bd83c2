import { type CoverStyle, coverStyles } from '../core/cover-styles.ts'
import { sha256 } from '../core/sha256.ts'

interface Shown {
  readonly id: string
  readonly data: {
    readonly cover?: { readonly style: CoverStyle } | undefined
    readonly image?: unknown
  }
}

const placeOf = (id: string): number => Number.parseInt(sha256(id).slice(0, 8), 16)

/**
 * Chooses a cover style for each post whose publisher chose none: never that of the previous post, so that lists are
 * varied. The choice depends only on older posts, so that a new post changes nothing.
 *
 * @param newestFirst all published posts
 */
export function withCoverLooks<Post extends Shown>(newestFirst: readonly Post[]): Post[] {
  let before: CoverStyle | undefined
  const looked = newestFirst.toReversed().map((post) => {
    if (post.data.image !== undefined) {
      before = undefined
      return post
    }
    const open = coverStyles.filter((style) => style !== before)
    const style = post.data.cover?.style ?? open[placeOf(post.id) % open.length] ?? coverStyles[0]
    before = style
    return { ...post, data: { ...post.data, cover: { style } } }
  })
  return looked.reverse()
}
