import site from '../../site.config.ts'
import { checksum } from '../core/checksum.ts'
import { estimateTokens } from '../core/estimate-tokens.ts'
import { toAbsoluteMarkdown } from './absolute-markdown.ts'
import type { PageImage } from './post-images.ts'
import type { ExportedPost, ExportedTexts, PostsExport } from './posts-export-schema.ts'
import { wordCount } from './word-count.ts'

/** A post as feeds, exports and other documents use it. */
export interface RenderedPost {
  readonly slug: string
  readonly data: {
    title: string
    excerpt: string
    publishedAt: Date
    updatedAt?: Date | undefined
    /** The byline, which may name several authors. */
    author: string
    /** The names of the authors, when there are several. */
    authors?: readonly string[] | undefined
    tags: string[]
    language: string
    series?: { name: string; part?: number | undefined } | undefined
    /** Former addresses, the oldest first. */
    aliases?: readonly string[] | undefined
  }
  readonly cover?: PageImage | undefined
  /** The picture of its podcast episode. */
  readonly square?: PageImage | undefined
  readonly markdown: string
}

interface PostToExport extends RenderedPost {
  readonly texts: ExportedTexts
}

const later = (one: string, other: string): string => (other > one ? other : one)

/** When a post last appeared or changed. */
export const changedAt = ({ publishedAt, updatedAt }: Pick<ExportedPost, 'publishedAt' | 'updatedAt'>): string =>
  updatedAt !== null && updatedAt > publishedAt ? updatedAt : publishedAt

/**
 * All posts as data, in the given order. The running server adds the narrations, because it has the recordings. The
 * result does not contain the time or place of the build: buyers own exactly these bytes, and with a build time in them
 * every build would be a different product that has to be paid for again.
 */
export function toPostsExport(posts: readonly PostToExport[], baseUrl: string): PostsExport {
  const exported = posts.map((post) => toExported(post, baseUrl))
  return {
    version: '1.0',
    schema: `${baseUrl}/openapi.json#/components/schemas/PostsExport`,
    exportedAt: exported.map(changedAt).reduce(later, new Date(0).toISOString()),
    site: { title: site.name, url: baseUrl, language: site.language },
    license: site.license,
    count: exported.length,
    tokens: exported.reduce((sum, { tokens }) => sum + tokens, 0),
    posts: exported,
  }
}

const toUrl = (slug: string, baseUrl: string): string => encodeURI(`${baseUrl}/posts/${slug}`)

/** The fields of an exported post that depend on its text alone. */
export function toExportedTexts(
  { slug, markdown, html }: Pick<RenderedPost, 'slug' | 'markdown'> & { readonly html: string },
  baseUrl: string,
): ExportedTexts {
  const contentMarkdown = toAbsoluteMarkdown(markdown, toUrl(slug, baseUrl))
  return {
    wordCount: wordCount(markdown),
    tokens: estimateTokens(contentMarkdown),
    contentMarkdown,
    markdownSha256: checksum(contentMarkdown),
    contentHtml: html,
    htmlSha256: checksum(html),
  }
}

function toExported({ slug, data, cover, texts }: PostToExport, baseUrl: string): ExportedPost {
  return {
    slug,
    url: toUrl(slug, baseUrl),
    title: data.title,
    excerpt: data.excerpt,
    publishedAt: data.publishedAt.toISOString(),
    updatedAt: data.updatedAt?.toISOString() ?? null,
    author: data.author,
    tags: data.tags,
    language: data.language,
    license: site.license.spdx,
    image: cover ? baseUrl + cover.src : null,
    ...texts,
    narration: null,
  }
}
