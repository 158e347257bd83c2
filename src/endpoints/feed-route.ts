import { getPostImages } from 'virtual:make-images'
import type { APIRoute } from 'astro'
import site from '../../site.config.ts'
import { builtAt, shop } from '../config/site-context.ts'
import { digestBundled } from '../content/bundled-texts.ts'
import { toKeyOfList } from '../content/key-of-post.ts'
import type { Post } from '../content/posts.ts'
import type { RenderedPost } from '../content/posts-export.ts'
import { type PostWithHtml, renderPosts } from '../content/render-posts.ts'
import { sha256 } from '../core/sha256.ts'
import { toAtom } from '../feeds/atom.ts'
import type { FeedFile } from '../feeds/feed-forms.ts'
import { type Channel, type FeedPost, findNewest, newestChange, toFeedPost } from '../feeds/feed-post.ts'
import { toJsonFeed } from '../feeds/json-feed.ts'
import { toRss } from '../feeds/rss.ts'
import { toHubLinks } from '../feeds/websub/name-hubs.ts'
import { prerendered, type SitePath } from './served.ts'

type Write = (channel: Channel, posts: readonly FeedPost[]) => string

const writers: Readonly<Record<FeedFile, Write>> = {
  'rss.xml': toRss,
  'atom.xml': toAtom,
  'feed.json': (channel, posts) => JSON.stringify(toJsonFeed(channel, posts)),
}

/** A feed of a part of the posts: what it is called and which posts it has. */
interface Part extends Pick<Channel, 'title' | 'description' | 'path'> {
  readonly has: (post: RenderedPost) => boolean
}

const everything: Part = { title: site.name, description: site.description, path: '', has: () => true }

/** Each post is converted once and shared by all feeds that contain it. */
const made = new WeakMap<PostWithHtml, Promise<FeedPost>>()
function toMade(post: PostWithHtml): Promise<FeedPost> {
  const make = async () => toFeedPost({ ...post, html: await post.getHtml() }, shop.baseUrl, site.language)
  const known = made.get(post) ?? make()
  made.set(post, known)
  return known
}

/**
 * The `cacheKey` of a feed of a part of the posts.
 *
 * @param posts the posts of that part, newest first
 */
export const toKeyOfFeed = async (posts: readonly Post[], path: Part['path']): Promise<string> => {
  const shown = await toKeyOfList(findNewest(posts, path), { picturesOf: getPostImages })
  return sha256(JSON.stringify([await digestBundled(), shown]))
}

/** A prerendered feed of all published posts, or of a part of them. */
export async function makeFeed(
  path: SitePath,
  file: FeedFile,
  { has, ...about }: Part = everything,
): Promise<Response> {
  const posts = await Promise.all(findNewest((await renderPosts()).filter(has), about.path).map(toMade))
  const updatedAt = newestChange(posts, builtAt)
  // Hubs are notified only of the feeds of all posts.
  const hubs = about.path === '' ? site.hubs : []
  const channel = { ...about, author: site.author, language: site.language, hubs, baseUrl: shop.baseUrl, updatedAt }
  // The time of the build rather than the newest date of a post: a post may be corrected, withdrawn, or added with an
  // earlier date.
  const headers = { 'last-modified': builtAt.toUTCString(), ...toHubLinks(shop.baseUrl + path, hubs) }
  return prerendered(path, writers[file](channel, posts), headers)
}

/** A route for a feed of all posts. */
export const feedRoute =
  (file: FeedFile): APIRoute =>
  () =>
    makeFeed(`/${file}`, file)
