import { findTwice } from '../read/find-twice.ts'
import type { Feed, FeedElement } from '../read/read-feed.ts'
import { type Judgement, judge } from './checks.ts'

/** The recordings of a feed, and what podcast directories ask of one that is a podcast. */
export function judgePodcast(feed: Feed): Judgement[] {
  const enclosures = feed.entries.map((entry) => entry.filter(({ name }) => name === 'enclosure'))
  const isPodcast = [...feed.channel, ...feed.entries.flat()].some(({ name }) => name.startsWith('itunes:'))
  const recordings = whyWrong(enclosures)
  return [
    ...(enclosures.some(({ length }) => length > 0)
      ? [judge('rss-enclosures', recordings === undefined, recordings ?? '')]
      : []),
    ...(isPodcast ? [judgeShow(feed)] : []),
  ]
}

function whyWrong(enclosures: readonly (readonly FeedElement[])[]): string | undefined {
  const all = enclosures.flat()
  const attribute = ['url', 'length', 'type'].find((name) => all.some(({ attributes }) => !attributes[name]))
  if (attribute !== undefined) return `An enclosure has no ${attribute}.`
  if (all.some(({ attributes }) => !/^[1-9]\d*$/.test(attributes['length'] ?? '')))
    return 'The length of an enclosure is no number of bytes.'
  if (enclosures.some(({ length }) => length > 1)) return 'An entry has more than one enclosure.'
  const twice = findTwice(all.map(({ attributes }) => attributes['url'] ?? ''))
  return twice === undefined ? undefined : 'Two entries have the same enclosure.'
}

function judgeShow({ channel, entries }: Feed): Judgement {
  const has = (wanted: string): boolean => channel.some(({ name }) => name === wanted)
  const missing = ['itunes:image', 'itunes:category', 'itunes:explicit', 'language'].find((name) => !has(name))
  const told = [...channel, ...entries.flat()].filter(({ name }) => name === 'itunes:explicit')
  const isOld = told.some(({ text }) => text !== 'true' && text !== 'false')
  const detail = missing === undefined ? 'itunes:explicit is neither true nor false.' : `The channel has no ${missing}.`
  return judge('rss-podcast', missing === undefined && !isOld, detail)
}
