import { areSeveral, toSignatures } from '../content/authors.ts'
import { toIsoDay } from '../content/day-texts.ts'
import type { RenderedPost } from '../content/posts-export.ts'
import { seriesPath } from '../content/series.ts'
import { tagPath } from '../content/tags.ts'
import { toSlug } from '../content/to-slug.ts'
import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

/** A post: authors, dates, series and tags, then its text. */
export const toPostAlternate = ({ slug, data, markdown }: RenderedPost): Alternate => ({
  path: `/posts/${slug}`,
  title: data.title,
  summary: data.excerpt,
  updatedAt: data.updatedAt ?? data.publishedAt,
  body: toSections(
    [
      `By ${toSigned(data)}, ${toIsoDay(data.publishedAt)}`,
      data.updatedAt && `revised ${toIsoDay(data.updatedAt)}`,
      data.series && `part of [${toInline(data.series.name)}](${seriesPath({ slug: toSlug(data.series.name) })})`,
      data.tags.length > 0 && `tags: ${data.tags.map((tag) => `[${tag}](${tagPath(tag)})`).join(', ')}`,
    ]
      .filter(Boolean)
      .join(' · '),
    markdown,
  ),
})

function toSigned(data: RenderedPost['data']): string {
  const signed = toSignatures(data)
  return areSeveral && signed.some(({ path }) => path)
    ? signed.map(({ name, path }) => (path ? `[${toInline(name)}](${encodeURI(path)})` : toInline(name))).join(', ')
    : toInline(data.author)
}

/** The entry of a post in lists. */
export const toPostLine = ({ slug, data }: Pick<RenderedPost, 'slug' | 'data'>) => ({
  title: data.title,
  path: `/posts/${slug}`,
  about: `${toIsoDay(data.publishedAt)}. ${data.excerpt}`,
})

/** When any of the posts last changed; undefined without posts. */
export const newestOf = (posts: readonly Pick<RenderedPost, 'data'>[]): Date | undefined =>
  posts.length === 0
    ? undefined
    : new Date(Math.max(...posts.map(({ data }) => (data.updatedAt ?? data.publishedAt).getTime())))
