import { parseJson } from '../read/parse-json.ts'
import { readHtml } from '../read/read-html.ts'
import { findAnswer, type Site } from '../read/seen.ts'
import { findVague } from '../read/structured-data.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge } from './checks.ts'

const leastTextLength = 200
const defaultPages =
  /welcome to nginx|apache2? .{0,20}default page|it works!|iis windows server|test page for|welcome to caddy|default web site page/i

/** Judges what the front page tells a program that runs no scripts. */
export function judgeFrontPage(site: Site): Judgement[] {
  const front = findAnswer(site.get('/'))
  if (front?.kind !== 'html') return []
  const { headers } = front.fetched
  const { title, lang, metas, links, jsonLd, text } = readHtml(front.text)
  const linkHeader = headers.get('link') ?? ''
  const isFeed = (type = '') => /^application\/(?:rss\+xml|atom\+xml|feed\+json)/i.test(type)
  const isMarkdown = (type = '') => /^text\/markdown/i.test(type)
  const alternates = links.filter((link) => /\balternate\b/i.test(link.get('rel') ?? ''))
  const robots = `${metas.get('robots') ?? ''} ${headers.get('x-robots-tag') ?? ''}`
  const broken = jsonLd.filter((json) => parseJson(json) === undefined)
  const vague = jsonLd.map((json) => findVague(parseJson(json))).find((why) => why !== undefined)
  return [
    judge(
      'front-default',
      !defaultPages.test(`${title} ${text.slice(0, 500)}`),
      `Its title is “${toPrintable(title, 80)}”.`,
    ),
    judge('front-no-title', title !== '', 'There is no <title>, or it is empty.'),
    judge(
      'front-no-description',
      (metas.get('description') ?? metas.get('og:description') ?? '').trim() !== '',
      'There is no <meta name="description">, or it is empty.',
    ),
    judge('front-no-lang', lang !== '', 'The <html> element has no lang attribute.'),
    judge(
      'front-no-text',
      text.length >= leastTextLength,
      `Outside of scripts and styles there are ${text.length} characters of text.`,
    ),
    judge('front-noindex', !/\bnoindex\b/i.test(robots), 'It is marked noindex.'),
    judge(
      'front-no-feed-link',
      alternates.some((link) => isFeed(link.get('type'))),
      'There is no <link rel="alternate"> with the type of a feed.',
    ),
    judge('front-no-structured-data', jsonLd.length > 0, 'There is no application/ld+json script.'),
    judge(
      'front-broken-structured-data',
      broken.length === 0,
      `${broken.length} of ${jsonLd.length} application/ld+json scripts cannot be parsed.`,
    ),
    judge('front-vague-structured-data', vague === undefined, vague ?? ''),
    judge(
      'front-no-link-header',
      /rel="?[^"]{0,200}\b(?:api-catalog|service-desc|service-doc|describedby|alternate)\b/i.test(linkHeader),
      linkHeader === '' ? 'The answer has no Link header.' : 'Its Link header names no description and no other form.',
    ),
    judge(
      'front-no-markdown',
      alternates.some((link) => isMarkdown(link.get('type'))) || /text\/markdown/i.test(linkHeader),
      'Neither the Link header nor a <link rel="alternate"> names a text/markdown form.',
    ),
  ]
}
