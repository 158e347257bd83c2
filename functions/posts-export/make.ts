import { changedAt } from '../../src/content/posts-export.ts'
import type { PostsExport } from '../../src/content/posts-export-schema.ts'
import { Problem } from '../../src/core/problem.ts'
import { openExportedPosts } from '../../src/narration/exported/exported-posts.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import exportPostsOffer, { jsonLines } from './offer.ts'

/** Delivers the export that the build made of all posts, with the narrations that are ready now. */
export default defineMake(exportPostsOffer, (context: Pick<MakeContext, 'readPrivate' | 'episodes'>) => {
  const readExported = openExportedPosts(context)
  return async ({ format, since }) => {
    const whole = await readExported()
    const exported = since === undefined ? whole : sinceThen(whole, new Date(since))
    if (format !== 'jsonl') return textProduct(JSON.stringify(exported), 'application/json; charset=utf-8')
    return textProduct(
      exported.posts.map((post) => `${JSON.stringify(post)}\n`).join(''),
      `${jsonLines}; charset=utf-8`,
    )
  }
})

/**
 * What was published or changed from an instant on.
 *
 * @throws Problem invalid-input when that is nothing, which nobody is charged for
 */
function sinceThen({ posts, ...rest }: PostsExport, since: Date): PostsExport {
  const changed = posts.filter((post) => new Date(changedAt(post)) >= since)
  if (changed.length === 0) {
    const newest = posts.map(changedAt).toSorted().at(-1)
    const detail = newest === undefined ? 'names a time, and nothing is published yet' : `must be ${newest} or earlier`
    throw new Problem('invalid-input', {
      charged: false,
      detail: 'Nothing was published or changed since then; nothing was charged',
      errors: [{ parameter: 'since', detail }],
    })
  }
  const tokens = changed.reduce((sum, post) => sum + post.tokens, 0)
  return { ...rest, since: since.toISOString(), count: changed.length, tokens, posts: changed }
}
