import type { RenderedPost } from '../content/posts-export.ts'
import { tagPath } from '../content/tags.ts'
import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

const day = (date: Date): string => date.toISOString().slice(0, 10)

/** A post: who wrote it when, and its text. */
export const toPostAlternate = ({ slug, data, markdown }: RenderedPost): Alternate => ({
  path: `/posts/${slug}`,
  title: data.title,
  summary: data.excerpt,
  updatedAt: data.updatedAt ?? data.publishedAt,
  body: toSections(
    [
      `By ${toInline(data.author)}, ${day(data.publishedAt)}`,
      data.updatedAt && `revised ${day(data.updatedAt)}`,
      data.tags.length > 0 && `tags: ${data.tags.map((tag) => `[${tag}](${tagPath(tag)})`).join(', ')}`,
    ]
      .filter(Boolean)
      .join(' · '),
    markdown,
  ),
})

/** The line of a post in lists. */
export const toPostLine = ({ slug, data }: Pick<RenderedPost, 'slug' | 'data'>) => ({
  title: data.title,
  path: `/posts/${slug}`,
  about: `${day(data.publishedAt)}. ${data.excerpt}`,
})

/** When any of the posts last changed; undefined without posts. */
export const newestOf = (posts: readonly Pick<RenderedPost, 'data'>[]): Date | undefined =>
  posts.length === 0
    ? undefined
    : new Date(Math.max(...posts.map(({ data }) => (data.updatedAt ?? data.publishedAt).getTime())))
