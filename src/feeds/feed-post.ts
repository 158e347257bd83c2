import { toSignatures } from '../content/authors.ts'
import { firstSlug } from '../content/first-slug.ts'
import type { PageImage } from '../content/post-images.ts'
import type { RenderedPost } from '../content/posts-export.ts'
import type { FeedFile } from './feed-forms.ts'
import { toFeedHtml } from './feed-html.ts'

/** A post in a feed, whatever its format. */
export interface FeedPost {
  /** The absolute address of its page. */
  readonly url: string
  /**
   * Its first address on this site. It never changes, because feed readers take a post with another id for a new one.
   */
  readonly id: string
  readonly title: string
  readonly excerpt: string
  /** The whole post, without scripts and with absolute addresses. */
  readonly html: string
  readonly publishedAt: Date
  /** The date of publication when it never changed. */
  readonly updatedAt: Date
  /** The authors, with the absolute addresses of their pages if they have any. */
  readonly authors: readonly { readonly name: string; readonly url?: string | undefined }[]
  readonly tags: readonly string[]
  readonly language: string
  /** Its cover; `src` is absolute. */
  readonly image?: PageImage | undefined
}

/** The metadata of a feed. */
export interface Channel {
  readonly title: string
  readonly description: string
  /** The path of the page whose posts it contains; empty for the front page. */
  readonly path: `/${string}` | ''
  /** The address of the site, without a trailing slash. */
  readonly baseUrl: string
  readonly author: string
  readonly language: string
  /** When a post last appeared or changed; it does not depend on when the feed was written. */
  readonly updatedAt: Date
  /** The hubs at which readers can subscribe to changes (WebSub). */
  readonly hubs?: readonly string[]
}

/** The addresses of the page for people and of the feed itself. */
export const toFeedUrls = ({ baseUrl, path }: Pick<Channel, 'baseUrl' | 'path'>, file: FeedFile) => ({
  home: encodeURI(baseUrl + (path || '/')),
  self: encodeURI(`${baseUrl}${path}/${file}`),
})

const directionOf = (language: string): string => new Intl.Locale(language).getTextInfo().direction ?? 'auto'

/**
 * A post for feeds. Its HTML is marked with its language, unless that is `siteLanguage` and runs from left to right.
 */
export function toFeedPost(
  post: RenderedPost & { readonly html: string },
  baseUrl: string,
  siteLanguage: string,
): FeedPost {
  const { slug, data, cover, html } = post
  const url = encodeURI(`${baseUrl}/posts/${slug}`)
  const content = toFeedHtml(html, url)
  const direction = directionOf(data.language)
  const isUsual = data.language === siteLanguage && direction === 'ltr'
  return {
    url,
    id: encodeURI(`${baseUrl}/posts/${firstSlug(post)}`),
    title: data.title,
    excerpt: data.excerpt,
    html: isUsual ? content : `<div lang="${data.language}" dir="${direction}">${content}</div>`,
    publishedAt: data.publishedAt,
    updatedAt: data.updatedAt ?? data.publishedAt,
    authors: toSignatures(data).map(({ name, path }) => ({ name, ...(path && { url: encodeURI(baseUrl + path) }) })),
    tags: data.tags,
    language: data.language,
    image: cover && { ...cover, src: baseUrl + cover.src },
  }
}

/** The number of posts in the main feeds. With all posts, readers would fetch the whole archive for each new one. */
const most = 50
/** Fewer in the feeds of tags and authors, because there are many of them. */
const mostOfPart = 20

/** Those posts of a page, given newest first, that its feeds contain. */
export const findNewest = <Post>(posts: readonly Post[], path: Channel['path']): Post[] =>
  posts.slice(0, path === '' ? most : mostOfPart)

/** When the newest of these posts appeared or changed. */
export const newestChange = (posts: readonly Pick<FeedPost, 'updatedAt'>[], fallback: Date): Date =>
  posts.length === 0 ? fallback : new Date(Math.max(...posts.map(({ updatedAt }) => updatedAt.getTime())))
