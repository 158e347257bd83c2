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
 * The posts with the look of each cover that the publisher left open: never the one of the post before it, so that lists
 * are varied. It follows from older posts alone, so that nothing changes when a new one comes.
 *
 * @param newestFirst all that are published
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
