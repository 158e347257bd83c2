import type { z } from 'zod'
import { changedAt } from '../../src/content/posts-export.ts'
import { type PostsExport, postsExportSchema } from '../../src/content/posts-export-schema.ts'
import { type InputError, Problem } from '../../src/core/problem.ts'
import { openExportedPosts } from '../../src/narration/exported/exported-posts.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import exportPostsOffer, { jsonLines } from './offer.ts'

const headSchema = postsExportSchema.pick({ exportedAt: true, count: true })
type Head = z.output<typeof headSchema>

/** Delivers the export that the build made of all posts, with the narrations that are ready now. */
export default defineMake(exportPostsOffer, (context: Pick<MakeContext, 'readPrivate' | 'episodes'>) => {
  const readExported = openExportedPosts(context)
  let head: Promise<Head> | undefined
  /** Date and count of all posts. Kept in memory, because requests that check an input are not paid for. */
  const readHead = async (): Promise<Head> =>
    headSchema.parse(JSON.parse(await context.readPrivate('posts-export.json')))

  return {
    async make({ format, since }) {
      const whole = await readExported()
      const exported = since === undefined ? whole : sinceThen(whole, new Date(since))
      if (format !== 'jsonl') return textProduct(JSON.stringify(exported), 'application/json; charset=utf-8')
      return textProduct(
        exported.posts.map((post) => `${JSON.stringify(post)}\n`).join(''),
        `${jsonLines}; charset=utf-8`,
      )
    },
    async foresee({ since }) {
      if (since === undefined) return []
      head ??= readHead()
      // A failed read is not kept, so the next request reads again.
      head.catch(() => {
        head = undefined
      })
      return findNothing(await head, new Date(since))
    },
  }
})

/** The input error for a `since` after which nothing was published or changed; none if something was. */
function findNothing({ exportedAt, count }: Head, since: Date): readonly InputError[] {
  if (count > 0 && new Date(exportedAt) >= since) return []
  const detail = count === 0 ? 'names a time, and nothing is published yet' : `must be ${exportedAt} or earlier`
  return [{ parameter: 'since', detail }]
}

/**
 * What was published or changed from an instant on.
 *
 * @throws Problem invalid-input when that is nothing, which nobody is charged for
 */
function sinceThen({ posts, ...rest }: PostsExport, since: Date): PostsExport {
  const errors = findNothing(rest, since)
  if (errors.length > 0) {
    const detail = 'Nothing was published or changed since then; nothing was charged'
    throw new Problem('invalid-input', { charged: false, detail, errors })
  }
  const changed = posts.filter((post) => new Date(changedAt(post)) >= since)
  const tokens = changed.reduce((sum, post) => sum + post.tokens, 0)
  return { ...rest, since: since.toISOString(), count: changed.length, tokens, posts: changed }
}
