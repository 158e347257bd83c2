import { type Channel, type FeedPost, toFeedUrls } from './feed-post.ts'

const toItem = (post: FeedPost) => ({
  id: post.id,
  url: post.url,
  title: post.title.toWellFormed(),
  summary: post.excerpt.toWellFormed(),
  content_html: post.html.toWellFormed(),
  ...(post.image && { image: post.image.src }),
  date_published: post.publishedAt.toISOString(),
  date_modified: post.updatedAt.toISOString(),
  authors: post.authors.map(({ name, url }) => ({ name: name.toWellFormed(), ...(url && { url }) })),
  ...(post.tags.length > 0 && { tags: post.tags.map((tag) => tag.toWellFormed()) }),
  language: post.language,
})

/** JSON Feed 1.1 (jsonfeed.org) with whole posts. */
export function toJsonFeed(channel: Channel, posts: readonly FeedPost[]) {
  const { home, self } = toFeedUrls(channel, 'feed.json')
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: channel.title,
    description: channel.description,
    home_page_url: home,
    feed_url: self,
    favicon: `${channel.baseUrl}/favicon.svg`,
    language: channel.language,
    authors: [{ name: channel.author, url: `${channel.baseUrl}/about` }],
    ...(channel.hubs?.length && { hubs: channel.hubs.map((url) => ({ type: 'WebSub', url })) }),
    items: posts.map(toItem),
  }
}
