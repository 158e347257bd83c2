import type { AstroGlobal } from 'astro'
import { shop } from '../config/site-context.ts'
import { type Alternate, alternatePath } from '../core/alternate.ts'
import { negotiatePage } from '../http/negotiate.ts'
import { toAlternateText } from './alternate-text.ts'
import { type SitePath, served } from './served.ts'

/**
 * The markdown of a page that is made when it is asked for, to who prefers that at the address of the page. Everybody
 * else gets the page: then there is no answer here, and the headers of the page are set, which say where its markdown is.
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
