import type { Alternate } from '../core/alternate.ts'
import { escapeHtml } from '../core/escape-html.ts'

type Place = Pick<Alternate, 'path' | 'updatedAt'>

/** The limits of one file (sitemaps.org). */
const limits = { addresses: 50_000, bytes: 50 * 1024 * 1024 }
/** An upper limit for the bytes of a file around its entries. */
const frameBytes = 200

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

const toEntry = (name: string, { path, updatedAt }: Place, baseUrl: string): string => {
  const lastmod = updatedAt ? `<lastmod>${updatedAt.toISOString()}</lastmod>` : ''
  return `  <${name}><loc>${escapeHtml(encodeURI(baseUrl + path))}</loc>${lastmod}</${name}>`
}

const toFile = (name: string, entries: readonly string[]): string =>
  [declaration, `<${name} ${namespace}>`, ...entries, `</${name}>\n`].join('\n')

/** Splits places into parts that each fit into one file. */
function toParts(places: readonly Place[], baseUrl: string, most: typeof limits) {
  const parts: { places: Place[]; entries: string[]; bytes: number }[] = []
  for (const place of places) {
    const entry = toEntry('url', place, baseUrl)
    const bytes = Buffer.byteLength(entry) + 1
    let part = parts.at(-1)
    if (!part || part.entries.length >= most.addresses || part.bytes + bytes > most.bytes) {
      part = { places: [], entries: [], bytes: frameBytes }
      parts.push(part)
    }
    part.places.push(place)
    part.entries.push(entry)
    part.bytes += bytes
  }
  return parts
}

const newestOf = (places: readonly Place[]): Date | undefined => {
  const times = places.flatMap(({ updatedAt }) => updatedAt?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(times.reduce((one, other) => Math.max(one, other)))
}

/**
 * `/sitemap.xml` (sitemaps.org): every page, with the date of its last change where that is known. For a site with more
 * pages than one file may hold it is an index, and the pages are in its parts: `/sitemap-1.xml` and so on.
 */
export function toSitemap(places: readonly Place[], baseUrl: string, most = limits) {
  const parts = toParts(places, baseUrl, most)
  if (parts.length < 2)
    return {
      whole: toFile(
        'urlset',
        parts.flatMap(({ entries }) => entries),
      ),
      parts: [],
    }
  const index = parts.map((part, place) => ({
    path: `/sitemap-${place + 1}.xml` as const,
    updatedAt: newestOf(part.places),
  }))
  return {
    whole: toFile(
      'sitemapindex',
      index.map((part) => toEntry('sitemap', part, baseUrl)),
    ),
    parts: parts.map(({ entries }) => toFile('urlset', entries)),
  }
}
