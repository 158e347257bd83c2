import { z } from 'zod'
import { firstSlug } from '../../content/first-slug.ts'
import type { RenderedPost } from '../../content/posts-export.ts'

/** The fields of a post that the podcast needs, as the build keeps them for the running server. */
export const podcastPostSchema = z.object({
  slug: z.string(),
  /** Its first slug, when that differs. */
  firstSlug: z.string().optional(),
  url: z.string(),
  title: z.string(),
  excerpt: z.string(),
  /** The byline, which may name several authors. */
  author: z.string(),
  authors: z.array(z.string()).readonly().optional(),
  language: z.string(),
  publishedAt: z.iso.datetime().transform((instant) => new Date(instant)),
  /** The absolute address of a square picture. */
  artworkUrl: z.string().optional(),
})

/** See podcastPostSchema. */
export type PodcastPost = z.output<typeof podcastPostSchema>

/** Takes the fields that the podcast needs from a post. */
export function toPodcastPost(post: RenderedPost, baseUrl: string): z.input<typeof podcastPostSchema> {
  const { slug, data, square } = post
  const first = firstSlug(post)
  return {
    slug,
    ...(first !== slug && { firstSlug: first }),
    url: encodeURI(`${baseUrl}/posts/${slug}`),
    title: data.title,
    excerpt: data.excerpt,
    author: data.author,
    authors: data.authors,
    language: data.language,
    publishedAt: data.publishedAt.toISOString(),
    artworkUrl: square && baseUrl + square.src,
  }
}
