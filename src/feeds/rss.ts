import { Feed } from 'feed'
import type { PageImage } from '../content/post-images.ts'
import { escapeHtml } from '../core/escape-html.ts'
import { type Channel, type FeedPost, toFeedUrls } from './feed-post.ts'
import { withHubs } from './websub/name-hubs.ts'
import { inAttribute, inCdata, inText, withoutMarks } from './xml-marks.ts'

/**
 * The package writes each element only once. This noncharacter, which is removed from all texts, separates the values
 * of several elements.
 */
const nextCreator = '\ufdd2'

/** Media RSS, which readers use for the picture beside a headline; an enclosure would be a recording. */
const toMedia = ({ src, width, height, bytes }: PageImage) => ({
  // The package does not escape `&` in extensions.
  url: inAttribute(src).replaceAll('&', '&amp;'),
  medium: 'image',
  type: 'image/jpeg',
  ...(bytes !== undefined && { fileSize: bytes }),
  width,
  height,
})

const toItem = ({ url, id, title, excerpt, html, publishedAt, authors, tags, language, image }: FeedPost) => ({
  title: inCdata(title),
  link: url,
  // When the id equals the address, the package writes it as a permalink by itself.
  ...(id !== url && { guid: id }),
  // RSS has only one date, and readers take a post with a new date for a new post.
  date: publishedAt,
  // Descriptions are HTML by custom, titles are not.
  description: inCdata(escapeHtml(excerpt)),
  content: inCdata(html),
  category: tags.map((tag) => ({ name: inText(tag) })),
  // RSS requires an e-mail address in `author`, which posts do not have, so Dublin Core's `creator` is used.
  extensions: [
    { name: 'dc:creator', objects: { _text: authors.map(({ name }) => inText(name)).join(nextCreator) } },
    { name: 'dc:language', objects: { _text: language } },
    ...(image ? [{ name: 'media:content', objects: { _attributes: toMedia(image) } }] : []),
  ],
})

/** RSS 2.0 with whole posts. The first address of a post is its permanent id. */
export function toRss(channel: Channel, posts: readonly FeedPost[]): string {
  const { home, self } = toFeedUrls(channel, 'rss.xml')
  const feed = new Feed({
    id: home,
    title: inText(channel.title),
    description: inText(channel.description),
    link: home,
    language: channel.language.toLowerCase(),
    updated: channel.updatedAt,
    generator: 'Farthing',
    copyright: '',
    feedLinks: { rss: self },
  })
  for (const post of posts) feed.addItem(toItem(post))
  // The package does not declare the namespace of Media RSS.
  return withHubs(withoutMarks(feed.rss2()), channel.hubs ?? [], 'rss')
    .replace('<rss ', '<rss xmlns:media="http://search.yahoo.com/mrss/" ')
    .replaceAll(nextCreator, '</dc:creator><dc:creator>')
}
