import { toWholeSeconds } from '../../core/durations.ts'
import { escapeHtml } from '../../core/escape-html.ts'
import type { Episode } from '../../narration/episodes/episode.ts'
import { toVoiceText } from '../../narration/episodes/voice-text.ts'
import { audioPath } from '../../narration/placeholders/narration-texts.ts'
import { toXmlText } from '../xml-marks.ts'
import type { PodcastPost } from './podcast-post.ts'

/** The metadata of the podcast. */
export interface Show {
  readonly title: string
  readonly description: string
  /** The address of the site, without a trailing slash. */
  readonly baseUrl: string
  readonly author: string
  readonly language: string
  /** Permanent; see `toPodcastGuid`. */
  readonly guid: string
  /** One of Apple's categories; `within` is its parent, for a subcategory. */
  readonly category: { readonly name: string; readonly within?: string }
  readonly explicit: boolean
  /** The owner's address, with which directories verify a claim to the podcast; empty for none. */
  readonly email: string
  readonly funding: { readonly url: string; readonly text: string }
  /** Square, 1400 to 3000 pixels, absolute. */
  readonly artworkUrl: string
}

/** A post with its narration. */
export interface HeardPost {
  readonly post: PodcastPost
  readonly episode: Episode
}

/** Directories refuse a channel description beyond 4,000 bytes, and cut funding texts at 128 characters. */
const maxDescriptionBytes = 4000
const maxFundingCharacters = 128

/** The longest beginning of a text that fits into this many bytes of UTF-8, without splitting a character. */
const cutBytes = (value: string, bytes: number): string =>
  value.slice(0, new TextEncoder().encodeInto(value, new Uint8Array(bytes)).read)
const cutCharacters = (value: string, count: number): string => [...value].slice(0, count).join('')

const text = (value: string): string => escapeHtml(toXmlText(value).trim())
const element = (name: string, value: string): string => `<${name}>${text(value)}</${name}>`
const empty = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${text(value).replace(/[\t\n]/g, ' ')}"`)
    .join('')}/>`
const lines = (items: readonly (string | false)[], indent: string): string =>
  items
    .filter((item) => item !== false)
    .map((item) => indent + item)
    .join('\n')

const image = (url: string) => empty('itunes:image', { href: url })
/** The role `author` belongs to the group `writing`; without a group it would mean the group `cast`. */
const person = (name: string) => `<podcast:person group="writing" role="author">${text(name)}</podcast:person>`

function toItem({ post, episode }: HeardPost, show: Show): string {
  const transcript = (suffix: string, type: string, more = {}) =>
    empty('podcast:transcript', { url: `${post.url}.${suffix}`, type, language: post.language, ...more })
  const notes = `<p>${escapeHtml(post.excerpt)}</p><p>${toVoiceText(episode)}.</p><p><a href="${escapeHtml(post.url)}">Read it with the text</a></p>`
  const item = [
    element('title', post.title),
    `<guid isPermaLink="false">${text(`post:${post.firstSlug ?? post.slug}`)}</guid>`,
    element('link', post.url),
    element('pubDate', post.publishedAt.toUTCString()),
    element('description', notes),
    element('itunes:author', post.author),
    element('itunes:duration', String(toWholeSeconds(episode.durationMs))),
    element('itunes:episodeType', 'full'),
    element('itunes:explicit', String(show.explicit)),
    image(post.artworkUrl ?? show.artworkUrl),
    empty('enclosure', {
      url: show.baseUrl + audioPath(episode.storageKey),
      length: String(episode.sizeBytes),
      type: 'audio/mpeg',
    }),
    transcript('vtt', 'text/vtt', { rel: 'captions' }),
    transcript('transcript.json', 'application/json'),
    episode.chapters.length > 0 &&
      empty('podcast:chapters', { url: `${post.url}.chapters.json`, type: 'application/json+chapters' }),
    ...(post.authors ?? [post.author]).map(person),
  ]
  return `    <item>\n${lines(item, '      ')}\n    </item>`
}

/**
 * `/podcast.xml`: RSS 2.0 with the tags that Apple requires and those of Podcasting 2.0. It is written here because
 * existing packages write `itunes:explicit` in a way that Apple refuses, or do not support `podcast:`.
 */
export function toPodcastFeed(show: Show, posts: readonly HeardPost[]): string {
  const { name, within } = show.category
  const category = within
    ? `${empty('itunes:category', { text: within }).replace('/>', '>')}${empty('itunes:category', { text: name })}</itunes:category>`
    : empty('itunes:category', { text: name })
  const newest = posts
    .map(({ episode }) => episode.createdAt)
    .toSorted()
    .at(-1)
  const owner = element('itunes:name', show.author) + element('itunes:email', show.email)
  const channel = [
    element('title', show.title),
    element('link', `${show.baseUrl}/podcast`),
    empty('atom:link', { href: `${show.baseUrl}/podcast.xml`, rel: 'self', type: 'application/rss+xml' }),
    element('description', cutBytes(show.description, maxDescriptionBytes)),
    element('language', show.language.toLowerCase()),
    newest !== undefined && element('lastBuildDate', new Date(newest).toUTCString()),
    element('generator', 'Farthing'),
    element('itunes:author', show.author),
    show.email !== '' && `<itunes:owner>${owner}</itunes:owner>`,
    category,
    element('itunes:explicit', String(show.explicit)),
    element('itunes:type', 'episodic'),
    image(show.artworkUrl),
    `<image>${element('url', show.artworkUrl)}${element('title', show.title)}${element('link', `${show.baseUrl}/podcast`)}</image>`,
    element('podcast:guid', show.guid),
    show.email === ''
      ? '<podcast:locked>yes</podcast:locked>'
      : `<podcast:locked owner="${text(show.email)}">yes</podcast:locked>`,
    element('podcast:medium', 'podcast'),
    `<podcast:funding url="${text(show.funding.url)}">${text(cutCharacters(show.funding.text, maxFundingCharacters))}</podcast:funding>`,
    person(show.author),
  ]
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
${lines(channel, '    ')}
${posts.map((post) => toItem(post, show)).join('\n')}
  </channel>
</rss>
`
}
