import { toInline, toSections } from '../../markdown.ts'
import type { RenderedPost } from '../posts-export.ts'
import { tagPath } from '../tags.ts'
import type { Twin } from './twin.ts'

const day = (date: Date): string => date.toISOString().slice(0, 10)

/** A post: who wrote it when, and its text. */
export const toPostTwin = ({ slug, data, markdown }: RenderedPost): Twin => ({
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
