import type { PageImage } from '../content/post-images.ts'
import type { RenderedPost } from '../content/posts-export.ts'
import { toFeedHtml } from './feed-html.ts'

/** A post as every feed carries it. */
export interface FeedPost {
  /** Absolute; also the id, for good. */
  readonly url: string
  readonly title: string
  readonly excerpt: string
  /** The whole post, without scripts and with absolute addresses. */
  readonly html: string
  readonly publishedAt: Date
  /** The date of publication when it never changed. */
  readonly updatedAt: Date
  readonly author: string
  readonly tags: readonly string[]
  readonly language: string
  /** With an absolute address. */
  readonly image?: PageImage | undefined
}

/** What a feed says of itself. */
export interface Channel {
  readonly title: string
  readonly description: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly author: string
  readonly language: string
  /** When the newest change was made; it never depends on when the feed was written. */
  readonly updatedAt: Date
  /** Whom readers may ask to be told of changes (WebSub). */
  readonly hubs?: readonly string[]
}

/** Older posts are in the archive; a feed with everything would be fetched whole for each new post. */
const most = 50

/** The newest posts for feeds, from published ones in their order. `siteLanguage` needs no mark in the text. */
export const toFeedPosts = (posts: readonly RenderedPost[], baseUrl: string, siteLanguage: string): FeedPost[] =>
  posts.slice(0, most).map(({ slug, data, cover, html }) => {
    const url = encodeURI(`${baseUrl}/posts/${slug}`)
    const content = toFeedHtml(html, url)
    return {
      url,
      title: data.title,
      excerpt: data.excerpt,
      html: data.language === siteLanguage ? content : `<div lang="${data.language}" dir="auto">${content}</div>`,
      publishedAt: data.publishedAt,
      updatedAt: data.updatedAt ?? data.publishedAt,
      author: data.author,
      tags: data.tags,
      language: data.language,
      image: cover && { ...cover, src: baseUrl + cover.src },
    }
  })

/** When the newest of these posts appeared or changed. */
export const newestChange = (posts: readonly Pick<FeedPost, 'updatedAt'>[], fallback: Date): Date =>
  posts.length === 0 ? fallback : new Date(Math.max(...posts.map(({ updatedAt }) => updatedAt.getTime())))
