import fc from 'fast-check'
import { parseRssFeed } from 'feedsmith'
import partytime from 'podcast-partytime'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from '../../src/core/escape-html.ts'
import { type HeardPost, type Show, toPodcastFeed } from '../../src/feeds/podcast/podcast-feed.ts'
import { toPodcastGuid } from '../../src/feeds/podcast/podcast-guid.ts'
import { podcastPostSchema, toPodcastPost } from '../../src/feeds/podcast/podcast-post.ts'
import { toXmlText } from '../../src/feeds/xml-marks.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { hostileText } from '../support/hostile-text.ts'
import { childrenOf, readXml, textOf, type XmlElement } from '../support/read-xml.ts'

const show: Show = {
  title: 'Press & <Co>',
  description: 'Words & <things>',
  baseUrl: 'https://press.example',
  author: 'A. N. Author & <Son>',
  language: 'en-US',
  guid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
  category: { name: 'Careers', within: 'Business' },
  explicit: false,
  email: 'press@press.example',
  funding: { url: 'https://press.example/skills?a=1&b=2', text: 'Buy & read' },
  artworkUrl: 'https://press.example/artwork-0123456789.jpg',
}

const heard = (
  number: number,
  post: Partial<HeardPost['post']> = {},
  episode: Partial<HeardPost['episode']> = {},
): HeardPost => ({
  post: {
    slug: `post-${number}`,
    url: `https://press.example/posts/post-${number}`,
    title: `Post ${number}: "salt" & <pepper>`,
    excerpt: `What post ${number} says.`,
    author: 'Ann Other',
    language: 'en',
    publishedAt: new Date(Date.UTC(2026, 0, 31 - number, 9)),
    artworkUrl: `https://press.example/square-${number}.jpg`,
    ...post,
  },
  episode: {
    storageKey: `post-${number}-0123456789abcdef`,
    slug: `post-${number}`,
    title: `Post ${number}`,
    language: 'en',
    voiceId: 'English_SereneWoman',
    durationMs: 61_500 + number,
    sizeBytes: 738_000 + number,
    createdAt: new Date(Date.UTC(2026, 1, number + 1)).toISOString(),
    cues: [{ text: 'Post.', startMs: 0, endMs: 500 }],
    chapters: [{ title: 'Beginning', startMs: 0 }],
    ...episode,
  },
})
const posts = [
  heard(1),
  heard(2),
  heard(3, { artworkUrl: undefined, language: 'en-GB' }, { chapters: [], isRecorded: true }),
]

const only = (elements: readonly XmlElement[]): XmlElement => {
  const [element] = elements
  if (!element || elements.length > 1) throw new Error(`there are ${elements.length} elements, not one`)
  return element
}
const readChannel = async (xml: string): Promise<XmlElement> => only(childrenOf(await readXml(xml), 'channel'))
const attributesOf = (element: XmlElement, name: string) => only(childrenOf(element, name)).attributes

describe('the podcast feed', () => {
  it('has the channel elements that directories require', async () => {
    const rss = await readXml(toPodcastFeed(show, posts))
    expect(rss).toMatchObject({
      name: 'rss',
      attributes: {
        version: '2.0',
        'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
        'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
        'xmlns:atom': 'http://www.w3.org/2005/Atom',
      },
    })
    const channel = only(childrenOf(rss, 'channel'))
    const texts = Object.fromEntries(channel.children.map(({ name, text }) => [name, text]))
    expect(texts).toMatchObject({
      title: show.title,
      link: 'https://press.example/podcast',
      description: show.description,
      language: 'en-us',
      'itunes:author': show.author,
      'itunes:explicit': 'false',
      'itunes:type': 'episodic',
      'podcast:guid': show.guid,
      'podcast:locked': 'yes',
      'podcast:medium': 'podcast',
      'podcast:funding': 'Buy & read',
      'podcast:person': show.author,
    })
    expect(attributesOf(channel, 'itunes:image')).toEqual({ href: show.artworkUrl })
    expect(attributesOf(channel, 'podcast:locked')).toEqual({ owner: show.email })
    expect(attributesOf(channel, 'podcast:funding')).toEqual({ url: show.funding.url })
    expect(attributesOf(channel, 'atom:link')).toEqual({
      href: 'https://press.example/podcast.xml',
      rel: 'self',
      type: 'application/rss+xml',
    })
    expect(textOf(only(childrenOf(channel, 'itunes:owner')), 'itunes:email')).toBe(show.email)
    const category = only(childrenOf(channel, 'itunes:category'))
    expect([category.attributes['text'], attributesOf(category, 'itunes:category')]).toEqual([
      'Business',
      { text: 'Careers' },
    ])
  })

  it('names all authors of an episode', async () => {
    const together = heard(1, { author: 'Ann Other and Bo', authors: ['Ann Other', 'Bo'] })
    const item = only(childrenOf(await readChannel(toPodcastFeed(show, [together])), 'item'))
    expect(childrenOf(item, 'podcast:person').map(({ text }) => text)).toEqual(['Ann Other', 'Bo'])
    expect(textOf(item, 'itunes:author')).toBe('Ann Other and Bo')
  })

  it('keeps the id of an episode whose post was renamed', async () => {
    const data = { title: 'A', excerpt: 'B', publishedAt: new Date(0), author: 'C', tags: [], language: 'en' }
    const aliases = ['/2019/elsewhere', '/posts/what-it-was', '/posts/between']
    const post = { slug: 'a-post', data: { ...data, aliases }, markdown: '', html: '' }
    const told = podcastPostSchema.parse(toPodcastPost(post, 'https://press.example'))
    const item = only(childrenOf(await readChannel(toPodcastFeed(show, [heard(1, told)])), 'item'))
    expect([textOf(item, 'guid'), textOf(item, 'link')]).toEqual([
      'post:what-it-was',
      'https://press.example/posts/a-post',
    ])
  })

  it('has the elements that players require for each episode, with exact lengths in bytes', async () => {
    const items = childrenOf(await readChannel(toPodcastFeed(show, posts)), 'item')
    expect(items.map((item) => [textOf(item, 'title'), textOf(item, 'guid')])).toEqual(
      posts.map(({ post }) => [post.title, `post:${post.slug}`]),
    )
    for (const [place, item] of items.entries()) {
      const number = place + 1
      expect(attributesOf(item, 'guid')).toEqual({ isPermaLink: 'false' })
      expect(attributesOf(item, 'enclosure')).toEqual({
        url: `https://press.example/audio/post-${number}-0123456789abcdef.mp3`,
        length: String(738_000 + number),
        type: 'audio/mpeg',
      })
      expect(textOf(item, 'itunes:duration')).toBe('62')
      expect(textOf(item, 'itunes:explicit')).toBe('false')
      expect(textOf(item, 'itunes:episodeType')).toBe('full')
      expect(textOf(item, 'pubDate')).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/)
      const url = `https://press.example/posts/post-${number}`
      expect(childrenOf(item, 'podcast:transcript').map(({ attributes }) => attributes)).toEqual([
        { url: `${url}.vtt`, type: 'text/vtt', language: posts[place]?.post.language, rel: 'captions' },
        { url: `${url}.transcript.json`, type: 'application/json', language: posts[place]?.post.language },
      ])
    }
    expect(items.map((item) => /<p>(Read by [^<]*)<\/p>/.exec(textOf(item, 'description') ?? '')?.[1])).toEqual([
      'Read by a synthetic voice.',
      'Read by a synthetic voice.',
      'Read by the author.',
    ])
    expect(items.map((item) => attributesOf(item, 'itunes:image')['href'])).toEqual([
      'https://press.example/square-1.jpg',
      'https://press.example/square-2.jpg',
      show.artworkUrl,
    ])
    expect(
      items.map((item) => childrenOf(item, 'podcast:chapters').map(({ attributes }) => attributes['type'])),
    ).toEqual([['application/json+chapters'], ['application/json+chapters'], []])
  })

  it('is read the same way by feedsmith and by partytime', () => {
    const xml = toPodcastFeed(show, posts)
    const one = parseRssFeed(xml)
    const other = partytime.parseFeed(xml)
    if (!other) throw new Error('partytime finds no feed')
    expect({
      title: other.title,
      link: other.link,
      description: other.description,
      language: other.language,
      explicit: other.explicit,
      image: other.itunesImage,
      author: other.author,
      owner: other.owner,
      type: other.itunesType,
      categories: other.categories,
      self: other.pubsub && 'self' in other.pubsub ? other.pubsub.self : undefined,
      locked: [other.locked, other.podcastOwner],
      guid: other.guid,
      medium: other.medium,
      funding: other.podcastFunding?.map(({ url, message }) => [url, message]),
      person: other.podcastPeople?.map(({ name, role, group }) => [name, role.toLowerCase(), group.toLowerCase()]),
    }).toEqual({
      title: one.title,
      link: one.link,
      description: one.description,
      language: one.language,
      explicit: one.itunes?.explicit,
      image: one.itunes?.image,
      author: one.itunes?.author,
      owner: one.itunes?.owner,
      type: one.itunes?.type,
      categories: one.itunes?.categories?.flatMap(({ text, categories = [] }) =>
        [text, ...categories.map((below) => below.text)].map((name) => name?.toLowerCase()),
      ),
      self: one.atom?.links?.[0]?.href,
      locked: [one.podcast?.locked?.value, one.podcast?.locked?.owner],
      guid: one.podcast?.guid,
      medium: one.podcast?.medium,
      funding: one.podcast?.fundings?.map(({ url, display }) => [url, display]),
      person: one.podcast?.persons?.map(({ display, role, group }) => [display, role, group]),
    })
    expect(
      other.items.map((item) => ({
        title: item.title,
        guid: item.guid,
        link: item.link,
        date: item.pubDate,
        description: item.description,
        author: item.author,
        duration: item.duration,
        explicit: item.explicit,
        image: item.itunesImage,
        enclosure: item.enclosure,
        transcripts: item.podcastTranscripts,
        chapters: item.podcastChapters,
        people: item.podcastPeople?.map(({ name }) => name),
      })),
    ).toEqual(
      one.items?.map(({ itunes, podcast, ...item }) => ({
        title: item.title,
        guid: item.guid?.value,
        link: item.link,
        date: new Date(item.pubDate ?? ''),
        description: item.description,
        author: itunes?.author,
        duration: itunes?.duration,
        explicit: itunes?.explicit,
        image: itunes?.image,
        enclosure: item.enclosures?.[0],
        transcripts: podcast?.transcripts,
        chapters: podcast?.chapters,
        people: podcast?.persons?.map(({ display }) => display),
      })),
    )
  })

  it('may have no episodes, and then has no date', async () => {
    const xml = toPodcastFeed(show, [])
    const channel = await readChannel(xml)
    expect([childrenOf(channel, 'item'), textOf(channel, 'lastBuildDate')]).toEqual([[], undefined])
    expect(parseRssFeed(xml).title).toBe(show.title)
  })

  it('names no owner without an e-mail address', async () => {
    const channel = await readChannel(toPodcastFeed({ ...show, email: '' }, posts))
    expect(childrenOf(channel, 'itunes:owner')).toEqual([])
    expect(attributesOf(channel, 'podcast:locked')).toEqual({})
  })

  it('has one category if the site has no second one', async () => {
    const channel = await readChannel(toPodcastFeed({ ...show, category: { name: 'Arts' } }, posts))
    const category = only(childrenOf(channel, 'itunes:category'))
    expect([category.attributes, category.children]).toEqual([{ text: 'Arts' }, []])
  })

  it('truncates between characters: 4,000 bytes of description, 128 characters of funding', async () => {
    const description = `a${'𝕏'.repeat(2000)}`
    const funding = { url: show.funding.url, text: `a${'𝕏'.repeat(200)}` }
    const channel = await readChannel(toPodcastFeed({ ...show, description, funding }, posts))
    expect(textOf(channel, 'description')).toBe(`a${'𝕏'.repeat(999)}`)
    expect(textOf(channel, 'podcast:funding')).toBe(`a${'𝕏'.repeat(127)}`)
  })

  it('carries hostile text intact', { timeout: limitMs(600_000, 900_000) }, async () => {
    const hostilePost = fc.record({ title: hostileText, excerpt: hostileText, author: hostileText })
    const read = (text: string) => toXmlText(text).trim()
    await fc.assert(
      fc.asyncProperty(hostilePost, fc.array(hostilePost, { minLength: 1, maxLength: 10 }), async (about, written) => {
        const { title, author, excerpt: description } = about
        const hostileShow = { ...show, title, author, description, funding: { url: show.funding.url, text: title } }
        const xml = toPodcastFeed(
          hostileShow,
          written.map((post, number) => heard(number, post)),
        )
        const channel = await readChannel(xml)
        expect(
          ['title', 'description', 'itunes:author', 'podcast:person'].map((name) => textOf(channel, name)),
        ).toEqual([title, description, author, author].map(read))
        const items = childrenOf(channel, 'item')
        expect(
          items.map((item) => ['title', 'itunes:author', 'description'].map((name) => textOf(item, name))),
        ).toEqual(
          written.map((post) => [
            read(post.title),
            read(post.author),
            expect.stringContaining(`<p>${toXmlText(escapeHtml(post.excerpt))}</p>`),
          ]),
        )
        expect([parseRssFeed(xml).items?.length, partytime.parseFeed(xml)?.items.length]).toEqual([
          written.length,
          written.length,
        ])
      }),
      { ...seed, numRuns: figure(25, 1000) },
    )
  })
})

it('the id of a podcast is the one that every directory computes from its address', () => {
  for (const address of [
    'https://mp3s.nashownotes.com/pc20rss.xml',
    'http://mp3s.nashownotes.com/pc20rss.xml//',
    'feed://mp3s.nashownotes.com/pc20rss.xml',
  ])
    expect(toPodcastGuid(address)).toBe('917393e3-1b1e-5cef-ace4-edaa54e1f810')
})
