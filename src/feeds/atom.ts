import { Feed } from 'feed'
import { escapeHtml } from '../core/escape-html.ts'
import { type Channel, type FeedPost, toFeedUrls } from './feed-post.ts'
import { withHubs } from './websub/name-hubs.ts'
import { inAttribute, inCdata, inText, withoutMarks } from './xml-marks.ts'

const toEntry = ({ url, id, title, excerpt, html, publishedAt, updatedAt, authors, tags }: FeedPost) => ({
  // The package declares titles as HTML, so plain text is escaped: a title that mentions <b> needs &lt;b&gt;.
  title: inCdata(escapeHtml(title)),
  id,
  link: url,
  date: updatedAt,
  published: publishedAt,
  description: inCdata(escapeHtml(excerpt)),
  content: inCdata(html),
  author: authors.map(({ name, url }) => ({ name: inText(name), ...(url && { link: url }) })),
  category: tags.map((tag) => ({ term: inAttribute(tag), name: inAttribute(tag) })),
})

/** Atom 1.0 with whole posts. */
export function toAtom(channel: Channel, posts: readonly FeedPost[]): string {
  const { home, self } = toFeedUrls(channel, 'atom.xml')
  const feed = new Feed({
    id: home,
    title: inText(channel.title),
    description: inText(channel.description),
    link: home,
    updated: channel.updatedAt,
    generator: 'Farthing',
    copyright: '',
    author: { name: inText(channel.author) },
    feedLinks: { atom: self },
  })
  for (const post of posts) feed.addItem(toEntry(post))
  // The package cannot write the language of an Atom feed.
  return withHubs(withoutMarks(feed.atom1()), channel.hubs ?? [], 'atom').replace(
    '<feed ',
    `<feed xml:lang="${channel.language}" `,
  )
}
