import type { Channel, FeedPost } from './feed-post.ts'

const toItem = (post: FeedPost) => ({
  id: post.url,
  url: post.url,
  title: post.title.toWellFormed(),
  summary: post.excerpt.toWellFormed(),
  content_html: post.html.toWellFormed(),
  ...(post.image && { image: post.image.src }),
  date_published: post.publishedAt.toISOString(),
  date_modified: post.updatedAt.toISOString(),
  authors: [{ name: post.author.toWellFormed() }],
  ...(post.tags.length > 0 && { tags: post.tags.map((tag) => tag.toWellFormed()) }),
  language: post.language,
})

/** `/feed.json`: JSON Feed 1.1 (jsonfeed.org) with whole posts. */
export const toJsonFeed = (channel: Channel, posts: readonly FeedPost[]) => ({
  version: 'https://jsonfeed.org/version/1.1',
  title: channel.title,
  description: channel.description,
  home_page_url: `${channel.baseUrl}/`,
  feed_url: `${channel.baseUrl}/feed.json`,
  favicon: `${channel.baseUrl}/favicon.svg`,
  language: channel.language,
  authors: [{ name: channel.author, url: `${channel.baseUrl}/about` }],
  ...(channel.hubs?.length && { hubs: channel.hubs.map((url) => ({ type: 'WebSub', url })) }),
  items: posts.map(toItem),
})
