import { toSignatures } from '../content/authors.ts'
import { firstSlug } from '../content/first-slug.ts'
import type { PageImage } from '../content/post-images.ts'
import type { RenderedPost } from '../content/posts-export.ts'
import type { FeedFile } from './feed-forms.ts'
import { toFeedHtml } from './feed-html.ts'

/** A post as every feed carries it. */
export interface FeedPost {
  /** Absolute. */
  readonly url: string
  /** Its first address here, for good: readers take a post with another id for a new one. */
  readonly id: string
  readonly title: string
  readonly excerpt: string
  /** The whole post, without scripts and with absolute addresses. */
  readonly html: string
  readonly publishedAt: Date
  /** The date of publication when it never changed. */
  readonly updatedAt: Date
  /** With the pages of those who have one, absolute. */
  readonly authors: readonly { readonly name: string; readonly url?: string | undefined }[]
  readonly tags: readonly string[]
  readonly language: string
  /** With an absolute address. */
  readonly image?: PageImage | undefined
}

/** What a feed says of itself. */
export interface Channel {
  readonly title: string
  readonly description: string
  /** Of the page whose posts it has; empty for the front page. */
  readonly path: `/${string}` | ''
  /** Of the site, without a trailing slash. */
  readonly baseUrl: string
  readonly author: string
  readonly language: string
  /** When the newest change was made; it never depends on when the feed was written. */
  readonly updatedAt: Date
  /** Whom readers may ask to be told of changes (WebSub). */
  readonly hubs?: readonly string[]
}

/** Where people read what a feed has, and where the feed is. */
export const toFeedUrls = ({ baseUrl, path }: Pick<Channel, 'baseUrl' | 'path'>, file: FeedFile) => ({
  home: encodeURI(baseUrl + (path || '/')),
  self: encodeURI(`${baseUrl}${path}/${file}`),
})

const directionOf = (language: string): string => new Intl.Locale(language).getTextInfo().direction ?? 'auto'

/** A post for feeds. `siteLanguage` needs no mark in the text, unless it runs from the right. */
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

/** Older posts are in the archive; a feed with everything would be fetched whole for each new post. */
const most = 50
/** Of the feeds of parts there are many. */
const mostOfPart = 20

/** What of the posts of a page, newest first, is in its feeds. */
export const findNewest = <Post>(posts: readonly Post[], path: Channel['path']): Post[] =>
  posts.slice(0, path === '' ? most : mostOfPart)

/** When the newest of these posts appeared or changed. */
export const newestChange = (posts: readonly Pick<FeedPost, 'updatedAt'>[], fallback: Date): Date =>
  posts.length === 0 ? fallback : new Date(Math.max(...posts.map(({ updatedAt }) => updatedAt.getTime())))
