import { z } from 'zod'
import { firstSlug } from '../../content/first-slug.ts'
import type { RenderedPost } from '../../content/posts-export.ts'

/** What the podcast says of a post, as the build keeps it for the running server. */
export const podcastPostSchema = z.object({
  slug: z.string(),
  /** What it was called first, when that was something else. */
  firstSlug: z.string().optional(),
  url: z.string(),
  title: z.string(),
  excerpt: z.string(),
  /** In words, however many there are. */
  author: z.string(),
  authors: z.array(z.string()).readonly().optional(),
  language: z.string(),
  publishedAt: z.iso.datetime().transform((instant) => new Date(instant)),
  /** Square, absolute. */
  artworkUrl: z.string().optional(),
})

/** See podcastPostSchema. */
export type PodcastPost = z.output<typeof podcastPostSchema>

/** Takes from a post what its episode says. */
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
