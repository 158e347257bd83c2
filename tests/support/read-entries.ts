import { once } from 'node:events'
import { extractFromJson } from '@extractus/feed-extractor'
import FeedParser from 'feedparser'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { z } from 'zod'

/** The fields of an entry that a reader shows. */
export interface Entry {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly url: string | undefined
  /** RFC 3339, UTC. */
  readonly publishedAt: string | undefined
  readonly html: string | undefined
}

type ReadEntries = (text: string) => Promise<Entry[]>

const toInstant = (date: Date | string | null | undefined): string | undefined =>
  date ? new Date(date).toISOString() : undefined

/** feedparser reads RSS and Atom with the same code, on top of sax. */
const readByFeedparser: ReadEntries = async (text) => {
  const parser = new FeedParser({ addmeta: false })
  const entries: Entry[] = []
  parser.on('data', ({ guid, title, link, pubdate, description }: FeedParser.Item) =>
    entries.push({ id: guid, title, url: link, publishedAt: toInstant(pubdate), html: description ?? undefined }),
  )
  parser.end(text)
  await once(parser, 'end')
  return entries
}

const extraSchema = z.object({ content_html: z.string() })
const extractedSchema = z.object({
  id: z.string(),
  title: z.string(),
  link: z.string(),
  published: z.string(),
  html: z.string(),
})

const readByExtractor: ReadEntries = async (text) =>
  extractFromJson(text, {
    getExtraEntryFields: (item) => ({ html: extraSchema.parse(item).content_html }),
  }).entries?.map((entry) => {
    const { id, title, link, published, html } = extractedSchema.parse(entry)
    return { id, title, url: link, publishedAt: published, html }
  }) ?? []

/** Two independent readers for each kind of feed; feedsmith is the first. */
export const readers: Readonly<Record<string, readonly [ReadEntries, ReadEntries]>> = {
  '/rss.xml': [
    async (text) =>
      parseRssFeed(text).items?.map(({ guid, title, link, pubDate, content }) => ({
        id: guid?.value,
        title,
        url: link,
        publishedAt: toInstant(pubDate),
        html: content?.encoded,
      })) ?? [],
    readByFeedparser,
  ],
  '/atom.xml': [
    async (text) =>
      parseAtomFeed(text).entries?.map(({ id, title, links, published, content }) => ({
        id,
        title: title?.value,
        url: links?.[0]?.href,
        publishedAt: toInstant(published),
        html: content?.value,
      })) ?? [],
    readByFeedparser,
  ],
  '/feed.json': [
    async (text) =>
      parseJsonFeed(JSON.parse(text)).items?.map(({ id, title, url, date_published, content_html }) => ({
        id,
        title,
        url,
        publishedAt: toInstant(date_published),
        html: content_html,
      })) ?? [],
    readByExtractor,
  ],
}
