import { toIsoDay } from '../content/day-texts.ts'
import type { Alternate } from '../core/alternate.ts'
import { identifierRule, retryRule } from '../core/buying-rules.ts'
import { toInline, toLinkList } from '../core/markdown.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'
import { aboutOf, type Route, titleOf } from '../routes/route.ts'
import { routes, siteRoutes } from '../routes/routes.ts'

/** The size that models and checkers are willing to read; the convention's hard limit is twice that. */
const maxBytes = 48_000

interface Input {
  readonly name: string
  readonly description: string
  readonly baseUrl: string
  readonly gameUrl: string
  readonly alternates: readonly Alternate[]
  readonly offers: readonly Offer[]
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

/**
 * `/llms.txt` (llmstxt.org): one line per page or document, with links to the markdown alternates. When there are too
 * many posts, the oldest are left out and only in the linked list of all posts, so that the file stays small enough.
 */
export function toLlmsTxt({ name, description, baseUrl, gameUrl, alternates, offers }: Input): string {
  const toLine = (title: string, path: string, about: string): string => toLinkList([{ title, path, about }])
  const toAlternateLine = ({ path, title, summary }: Alternate, before = ''): string =>
    toLine(title, `${baseUrl}${path}.md`, before + summary)
  const toOfferLine = (offer: Offer): string =>
    toLine(
      offer.title,
      `${baseUrl}${pagePath(offer)}.md`,
      `${priceText(offer)}, ${offer.method} ${offer.path}. ${offer.excerpt}`,
    )
  const inSection = (name: Route['section'], origin = baseUrl): string[] =>
    routes
      .filter((route) => route.section === name)
      .map((route) => toLine(titleOf(route), origin + route.path, aboutOf(route)))
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}\n`
  const inLane = (lane: Offer['lane']): string[] => offers.filter((offer) => offer.lane === lane).map(toOfferLine)
  const single = ['/agents', '/agents/mcp', '/podcast', '/search', '/problems', '/about']
  // Pages that the publisher added to those of the code.
  const isOfPublisher = (path: string): boolean => /^\/[^/]+$/.test(path) && !(path in siteRoutes)

  const head = `# ${toInline(name)}\n\n> ${toInline(description)}\n\nReading is free: every page has a markdown alternate at its address plus .md, which \`Accept: text/markdown\` gets too. What costs money answers 402 with its price and is paid per request with x402 version 2, without an account. ${retryRule} ${identifierRule}\n`
  const around = [
    section(
      'Docs',
      alternates
        .filter(({ path }) => single.includes(path) || isOfPublisher(path))
        .map((alternate) => toAlternateLine(alternate)),
    ),
    section('Skills', inLane('skill')),
    section('APIs', inLane('hostedApi')),
    section('All the writing', inLane('content')),
    section('For programs', inSection('programs')),
    section('Undercroft, a dungeon for people and programs', inSection('game', gameUrl)),
    section('Optional', inSection('feeds')),
  ]
  const all = toLine('All posts', `${baseUrl}/posts.md`, 'everything published, newest first')
  let room = maxBytes - bytesOf([head, ...around, section('Posts', [all])].join('\n'))
  const posts: string[] = []
  for (const alternate of alternates.filter(({ path }) => path.startsWith('/posts/'))) {
    const { updatedAt } = alternate
    const line = toAlternateLine(alternate, updatedAt ? `${toIsoDay(updatedAt)}. ` : '')
    room -= bytesOf(line) + 1
    if (room < 0) break
    posts.push(line)
  }
  const [docs = '', ...others] = around
  return [head, docs, section('Posts', [...posts, all]), ...others].filter(Boolean).join('\n')
}
