import type { AstroGlobal } from 'astro'
import { shop } from '../config/site-context.ts'
import { type Alternate, alternatePath } from '../core/alternate.ts'
import { negotiatePage } from '../http/negotiate.ts'
import { toAlternateText } from './alternate-text.ts'
import { type SitePath, served } from './served.ts'

/**
 * The markdown of a page that is rendered on request, for clients that prefer it at the address of the page. For all
 * others it returns undefined and sets the headers of the page, which name the address of the markdown.
 *
 * @example
 * const markdown = answerMarkdown(Astro, '/stats', toSalesAlternate(statistics, shop))
 * if (markdown) return markdown
 */
export function answerMarkdown(
  { request, response }: Pick<AstroGlobal, 'request' | 'response'>,
  at: SitePath,
  alternate: Alternate,
): Response | undefined {
  const headers = { 'cache-control': served(at).cacheControl, vary: 'Accept' }
  const place = encodeURI(alternatePath(alternate.path))
  const type = negotiatePage(request.headers.get('accept'))
  if (type !== 'text/html')
    return new Response(toAlternateText(alternate, shop.baseUrl), {
      headers: { ...headers, 'content-type': `${type}; charset=utf-8`, 'content-location': place },
    })
  const ofPage = {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    link: `<${place}>; rel="alternate"; type="text/markdown"`,
  }
  for (const [name, value] of Object.entries(ofPage)) response.headers.set(name, value)
  return undefined
}
