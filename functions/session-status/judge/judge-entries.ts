import { findTwice } from '../read/find-twice.ts'
import type { Feed, FeedElement } from '../read/read-feed.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge } from './checks.ts'

type Entry = readonly FeedElement[]

/** What every entry of a feed needs: a title or text, a unique id, and absolute addresses. */
export function judgeEntries({ format, entries }: Feed, base: URL): Judgement[] {
  const poor = entries.filter((entry) => !isWhole(entry)).length
  const ids = entries.flatMap((entry) => elementsOf(entry, ['guid', 'id']))
  const twice = findTwice(ids.map(({ text }) => text))
  const opaque = ids.find((id) => id.name === 'guid' && !isOpaque(id) && !/^https?:\/\//i.test(id.text))
  const wrongId =
    twice === undefined
      ? opaque && `“${toPrintable(opaque.text, 60)}” is no address, and its guid has no isPermaLink="false".`
      : `“${toPrintable(twice, 60)}” is the id of two entries.`
  const address = entries.flatMap(addressesOf).find((url) => !isGoodAddress(url, base))
  const title = format === 'rss' ? entries.flatMap((entry) => elementsOf(entry, ['title'])).find(hasMarkup) : undefined
  return [
    judge('rss-entries', poor === 0, `${poor} of ${entries.length} entries lack a title or text, an id, or a link.`),
    judge('rss-ids', wrongId === undefined, wrongId ?? ''),
    judge('rss-addresses', address === undefined, `“${toPrintable(address ?? '', 80)}” is not a full https address.`),
    judge('rss-titles', title === undefined, `A title has markup in it: “${toPrintable(title?.text ?? '', 80)}”.`),
  ]
}

const elementsOf = (entry: Entry, names: readonly string[]): FeedElement[] =>
  entry.filter(({ name, text }) => names.includes(name) && text !== '')

function isWhole(entry: Entry): boolean {
  const told = entry.filter(({ text, attributes }) => text !== '' || Object.keys(attributes).length > 0)
  const has = (...names: string[]): boolean => told.some(({ name }) => names.includes(name))
  // A guid is the address of the entry, unless it says isPermaLink="false" (RSS 2.0).
  const leads = has('link') || told.some((element) => element.name === 'guid' && !isOpaque(element))
  return has('title', 'description', 'summary', 'content') && has('guid', 'id') && leads
}

const isOpaque = ({ attributes }: FeedElement): boolean =>
  Object.entries(attributes).some((attribute) => /^isPermaLink=false/i.test(attribute.join('=')))

const addressesOf = (entry: Entry): string[] =>
  entry.flatMap(({ name, text, attributes }) => {
    if (name === 'enclosure') return attributes['url'] === undefined ? [] : [attributes['url']]
    if (name !== 'link') return []
    const address = attributes['href'] ?? text
    return address === '' ? [] : [address]
  })

/**
 * Whether an address is absolute, because feed readers have no page to resolve it against, and uses https if it leads
 * to this site and the feed itself came over https.
 */
function isGoodAddress(address: string, base: URL): boolean {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || hostname !== base.hostname || base.protocol === 'http:'
}

/** Whether a title contains HTML elements, or entities that were escaped twice. */
const hasMarkup = ({ text }: FeedElement): boolean =>
  /<\/?(?:a|b|i|em|strong|code|span|br|p|img|sup|sub|script)\b[^>]{0,200}>|&(?:amp|lt|gt|quot|nbsp|#\d{1,5});/i.test(
    text,
  )
