import site from '../../site.config.ts'
import type { PageImage } from './post-images.ts'
import type { PostsExport } from './posts-export-schema.ts'
import { wordCount } from './word-count.ts'

/** A post with its text in both forms. */
export interface RenderedPost {
  readonly slug: string
  readonly data: {
    title: string
    excerpt: string
    publishedAt: Date
    updatedAt?: Date | undefined
    author: string
    tags: string[]
    language: string
  }
  readonly cover?: PageImage | undefined
  /** For its episode. */
  readonly square?: PageImage | undefined
  readonly markdown: string
  readonly html: string
}

/** All the writing as data, in the order given. Narrations are added by the server, which has the recordings. */
export const toPostsExport = (posts: readonly RenderedPost[], baseUrl: string, exportedAt: Date): PostsExport => ({
  version: '1.0',
  exportedAt: exportedAt.toISOString(),
  site: { title: site.name, url: baseUrl, language: site.language },
  count: posts.length,
  posts: posts.map(({ slug, data, cover, markdown, html }) => ({
    slug,
    url: encodeURI(`${baseUrl}/posts/${slug}`),
    title: data.title,
    excerpt: data.excerpt,
    publishedAt: data.publishedAt.toISOString(),
    updatedAt: data.updatedAt?.toISOString() ?? null,
    author: data.author,
    tags: data.tags,
    language: data.language,
    image: cover ? baseUrl + cover.src : null,
    wordCount: wordCount(markdown),
    contentMarkdown: markdown,
    contentHtml: html,
    narration: null,
  })),
})
