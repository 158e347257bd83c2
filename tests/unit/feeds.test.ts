import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { publishedPosts } from '../../src/content/published-posts.ts'
import { withoutEarlyRevisions } from '../../src/content/revisions.ts'
import { toAtom } from '../../src/feeds/atom.ts'
import { type Channel, type FeedPost, findNewest, newestChange, toFeedPost } from '../../src/feeds/feed-post.ts'
import { toJsonFeed } from '../../src/feeds/json-feed.ts'
import { toRss } from '../../src/feeds/rss.ts'
import { toXmlText } from '../../src/feeds/xml-marks.ts'
import { figure, seed } from '../support/figures.ts'
import { hostileText } from '../support/hostile-text.ts'
import { jsonFeedSchema } from '../support/json-feed-schema.ts'
import { childrenOf, readXml, textOf } from '../support/read-xml.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const channel: Channel = {
  title: 'Press & <Co> &amp;',
  description: 'Words & <things>',
  path: '',
  baseUrl: 'https://press.example',
  author: 'A. N. Author & <Son>',
  language: 'en',
  updatedAt: new Date('2026-11-02T10:00:00Z'),
}

const address = fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).href)

const hostilePost: fc.Arbitrary<FeedPost> = fc.record({
  url: address,
  id: address,
  title: hostileText,
  excerpt: hostileText,
  html: hostileText.map((text) => `<p>${text}</p>`),
  authors: fc.array(fc.record({ name: hostileText }), { minLength: 1, maxLength: 2 }),
  tags: fc.array(hostileText, { maxLength: 3 }),
  language: fc.constantFrom('en', 'he', 'de-CH'),
  publishedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  updatedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  image: fc.record({
    // A file name of a post may contain &, such as Q&A.
    src: fc.oneof(address, fc.constant('https://press.example/_astro/q&a-cover-0123456789.jpg')),
    ...{ width: fc.constant(1280), height: fc.constant(720), alt: hostileText },
  }),
})

const posts = fc.array(hostilePost, { minLength: 1, maxLength: 20 })
const runs = { ...seed, numRuns: figure(25, 1000) }
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
const inOneLine = (text: string): string => toXmlText(text).replace(/[\t\n]/g, ' ')

/** The text that a reader shows for an HTML field. */
function shown(html = ''): string {
  let text = ''
  new Parser({ ontext: (part) => (text += part) }).end(html)
  return text
}

describe('feeds of hostile posts', () => {
  it('RSS carries every field intact, as libxml2 and feedsmith read it', async () => {
    await fc.assert(
      fc.asyncProperty(posts, async (written) => {
        const xml = toRss(channel, written)
        expect(parseRssFeed(xml).items).toHaveLength(written.length)
        const [rss] = childrenOf(await readXml(xml), 'channel')
        const items = rss ? childrenOf(rss, 'item') : []
        expect(
          items.map((item) => ({
            url: textOf(item, 'link'),
            guid: textOf(item, 'guid'),
            title: textOf(item, 'title'),
            description: shown(textOf(item, 'description')),
            content: textOf(item, 'content:encoded'),
            authors: childrenOf(item, 'dc:creator').map(({ text }) => text),
            tags: childrenOf(item, 'category').map(({ text }) => text),
            date: seconds(new Date(textOf(item, 'pubDate') ?? '')),
            picture: childrenOf(item, 'media:content')[0]?.attributes.url,
          })),
        ).toEqual(
          written.map(({ url, id, title, excerpt, html, authors, tags, publishedAt, image }) => ({
            url,
            guid: id,
            title: toXmlText(title),
            description: toXmlText(excerpt),
            content: toXmlText(html),
            authors: authors.map(({ name }) => toXmlText(name)),
            tags: tags.map(toXmlText),
            date: seconds(publishedAt),
            picture: image?.src,
          })),
        )
      }),
      runs,
    )
  })

  it('Atom carries every field intact, as libxml2 and feedsmith read it', async () => {
    await fc.assert(
      fc.asyncProperty(posts, async (written) => {
        const xml = toAtom(channel, written)
        expect(parseAtomFeed(xml).entries).toHaveLength(written.length)
        const entries = childrenOf(await readXml(xml), 'entry')
        expect(
          entries.map((entry) => ({
            id: textOf(entry, 'id'),
            url: childrenOf(entry, 'link')[0]?.attributes.href,
            title: shown(textOf(entry, 'title')),
            summary: shown(textOf(entry, 'summary')),
            content: textOf(entry, 'content'),
            authors: childrenOf(entry, 'author').map((author) => textOf(author, 'name')),
            tags: childrenOf(entry, 'category').map(({ attributes }) => attributes.term),
            updated: textOf(entry, 'updated'),
            published: textOf(entry, 'published'),
          })),
        ).toEqual(
          written.map(({ url, id, title, excerpt, html, authors, tags, publishedAt, updatedAt }) => ({
            id,
            url,
            title: toXmlText(title),
            summary: toXmlText(excerpt),
            content: toXmlText(html),
            authors: authors.map(({ name }) => toXmlText(name)),
            tags: tags.map(inOneLine),
            updated: updatedAt.toISOString(),
            published: publishedAt.toISOString(),
          })),
        )
      }),
      runs,
    )
  })

  it('JSON Feed follows version 1.1 and carries every field intact', () => {
    fc.assert(
      fc.property(posts, (written) => {
        const feed = JSON.parse(JSON.stringify(toJsonFeed(channel, written)))
        expect(findSchemaErrors(jsonFeedSchema, feed)).toEqual([])
        expect(parseJsonFeed(feed).items).toHaveLength(written.length)
        expect(
          feed.items.map((item: { title: string; content_html: string }) => [item.title, item.content_html]),
        ).toEqual(written.map(({ title, html }) => [title.toWellFormed(), html.toWellFormed()]))
      }),
      runs,
    )
  })
})

describe('the metadata of feeds', () => {
  const data = {
    title: 'A post',
    excerpt: 'About it.',
    publishedAt: new Date('2026-11-01T09:00:00Z'),
    updatedAt: new Date('2026-11-02T10:00:00Z'),
    author: 'Somebody',
    tags: ['x402'],
    language: 'en',
  }
  const post = { slug: 'a-post', data, markdown: '', html: '<p><a href="/about">About</a></p>' }
  const written = [toFeedPost(post, channel.baseUrl, 'en')]

  it('has exact names and dates, whatever characters they contain', async () => {
    const atom = await readXml(toAtom(channel, written))
    expect([textOf(atom, 'title'), textOf(atom, 'subtitle')]).toEqual([channel.title, channel.description])
    expect([textOf(atom, 'updated'), atom.attributes['xml:lang']]).toEqual(['2026-11-02T10:00:00.000Z', 'en'])
    expect(childrenOf(atom, 'link').map(({ attributes }) => [attributes.rel, attributes.href])).toEqual([
      ['alternate', 'https://press.example/'],
      ['self', 'https://press.example/atom.xml'],
    ])
    const rss = (await readXml(toRss(channel, written))).children[0]
    expect(rss && ['title', 'description', 'language', 'lastBuildDate'].map((name) => textOf(rss, name))).toEqual([
      channel.title,
      channel.description,
      'en',
      'Mon, 02 Nov 2026 10:00:00 GMT',
    ])
    expect(rss && childrenOf(rss, 'atom:link')[0]?.attributes).toMatchObject({
      rel: 'self',
      href: 'https://press.example/rss.xml',
    })
  })

  it('of a partial feed links to its page, and is at an address below it', async () => {
    const part = { ...channel, path: '/tags/支払い' } as const
    const page = 'https://press.example/tags/%E6%94%AF%E6%89%95%E3%81%84'
    const atom = await readXml(toAtom(part, written))
    expect(childrenOf(atom, 'link').map(({ attributes }) => attributes.href)).toEqual([page, `${page}/atom.xml`])
    const rss = (await readXml(toRss(part, written))).children[0]
    expect(rss && [textOf(rss, 'link'), childrenOf(rss, 'atom:link')[0]?.attributes.href]).toEqual([
      page,
      `${page}/rss.xml`,
    ])
    expect(toJsonFeed(part, written)).toMatchObject({ home_page_url: page, feed_url: `${page}/feed.json` })
  })

  it('of RSS names no author without an e-mail address, because that element is one', () => {
    expect(toRss(channel, written)).not.toContain('<author>')
  })

  it('is the same in bytes for the same posts, whenever they are written', () => {
    for (const write of [toRss, toAtom]) expect(write(channel, written)).toBe(write(channel, written))
    expect(newestChange(written, new Date(0))).toEqual(data.updatedAt)
    expect(newestChange([], new Date(5))).toEqual(new Date(5))
  })

  it('dates a post that was changed before its publication by its publication', () => {
    const publishedAt = new Date('2026-11-20T09:00:00Z')
    const told = [new Date('2026-11-12'), publishedAt, new Date('2026-11-21'), undefined].map((updatedAt) => {
      const [one] = withoutEarlyRevisions([{ ...post, data: { ...data, publishedAt, updatedAt } }])
      return one && toFeedPost(one, channel.baseUrl, 'en').updatedAt.toISOString()
    })
    const cameOut = publishedAt.toISOString()
    expect(told).toEqual([cameOut, cameOut, '2026-11-21T00:00:00.000Z', cameOut])
  })

  it('keeps the first id of a renamed post, so that readers do not see it twice, and links to its current address', async () => {
    const aliases = ['/2019/elsewhere', '/posts/wh\u00e4t-it-was', '/posts/between']
    const renamed = [toFeedPost({ ...post, data: { ...data, aliases } }, channel.baseUrl, 'en')]
    const [id, url] = ['https://press.example/posts/wh%C3%A4t-it-was', 'https://press.example/posts/a-post']
    const [rss] = childrenOf(await readXml(toRss(channel, renamed)), 'channel')
    const [item] = rss ? childrenOf(rss, 'item') : []
    expect([item && textOf(item, 'guid'), item && textOf(item, 'link')]).toEqual([id, url])
    expect(item && childrenOf(item, 'guid')[0]?.attributes).toEqual({ isPermaLink: 'false' })
    expect(parseAtomFeed(toAtom(channel, renamed)).entries?.[0]).toMatchObject({ id, links: [{ href: url }] })
    expect(toJsonFeed(channel, renamed).items[0]).toMatchObject({ id, url })
  })

  it('states the language of a post in another language', () => {
    const hebrew = toFeedPost({ ...post, data: { ...data, language: 'he' } }, channel.baseUrl, 'en')
    expect(hebrew.html).toBe('<div lang="he" dir="rtl"><p><a href="https://press.example/about">About</a></p></div>')
    expect(toFeedPost({ ...post, data: { ...data, language: 'de' } }, channel.baseUrl, 'en').html).toMatch(
      /^<div lang="de" dir="ltr">/,
    )
    // Feed readers assume left to right for text without a direction, whatever the language of the feed.
    expect(toFeedPost({ ...post, data: { ...data, language: 'ar' } }, channel.baseUrl, 'ar').html).toMatch(
      /^<div lang="ar" dir="rtl">/,
    )
  })
})

it('a feed is limited to the newest fifty posts, and a partial feed to the newest twenty', () => {
  const many = Array.from({ length: 120 }, (_, place) => place)
  expect(findNewest(many, '')).toEqual(many.slice(0, 50))
  expect(findNewest(many, '/tags/x402')).toEqual(many.slice(0, 20))
})

describe('drafts and future posts', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const at = (time: string, draft = false) => ({ id: 'a-post', data: { draft, publishedAt: new Date(time) } })

  it('are not published, to the second', () => {
    const [old, due] = [at('2026-01-01T00:00:00Z'), at('2026-11-20T12:00:00Z')]
    const hidden = [at('2026-11-20T12:00:01Z'), at('2027-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z', true)]
    expect(publishedPosts([old, ...hidden, due], now)).toEqual([due, old])
  })

  it('of one day are sorted by name, independent of the locale of the machine', () => {
    const day = new Date('2026-01-01T00:00:00Z')
    const named = (id: string) => ({ id, data: { draft: false, publishedAt: day } })
    const ids = ['ab', 'a-b', 'zebra', '\u00e4ngel', 'chleba', 'hrad', 'b_c', 'bc']
    const orders = ['en', 'sv', 'cs'].map((place) => ids.toSorted(new Intl.Collator(place).compare))
    expect(new Set(orders.map(String)).size).toBe(3)
    for (const order of orders)
      expect(publishedPosts(order.map(named), now).map(({ id }) => id)).toEqual(ids.toSorted())
  })

  it('cannot reach any output, because a single module reads posts and it omits them', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:ts|astro)$/.test(name),
    )
    const readers = files.filter((name) =>
      /get(?:Collection|Entry|Entries)\(\s*['"]posts/.test(readFileSync(join('src', name), 'utf8')),
    )
    expect(readers).toEqual([join('content', 'posts.ts')])
    expect(readFileSync(join('src', 'content', 'posts.ts'), 'utf8')).toContain(
      'import.meta.env.DEV ? allPosts(posts) : publishedPosts(posts, builtAt)',
    )
  })
})
