import type { Alternate } from '../core/alternate.ts'
import { escapeHtml } from '../core/escape-html.ts'

type Place = Pick<Alternate, 'path' | 'updatedAt'>

const toUrl = ({ path, updatedAt }: Place, baseUrl: string): string => {
  const lastmod = updatedAt ? `<lastmod>${updatedAt.toISOString()}</lastmod>` : ''
  return `  <url><loc>${escapeHtml(encodeURI(baseUrl + path))}</loc>${lastmod}</url>`
}

/** `/sitemap.xml` (sitemaps.org): every page, with the date of its last change where one is known and true. */
export const toSitemap = (places: readonly Place[], baseUrl: string): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...places.map((place) => toUrl(place, baseUrl)),
    '</urlset>\n',
  ].join('\n')
