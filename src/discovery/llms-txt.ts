import type { Offer } from '../../functions/offer.ts'
import { pagePath } from '../../functions/offer.ts'
import { priceText } from '../../functions/price-text.ts'
import { toInline } from '../markdown.ts'
import type { Twin } from '../publishing/twins/twin.ts'

/** What models and checkers are willing to read; the convention's hard limit is twice that. */
const maxBytes = 48_000

interface Input {
  readonly name: string
  readonly description: string
  readonly baseUrl: string
  readonly gameUrl: string
  readonly twins: readonly Twin[]
  readonly offers: readonly Offer[]
}

interface Link {
  readonly title: string
  readonly path: string
  readonly about: string
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

/**
 * `/llms.txt` (llmstxt.org): what is here, a line each, with links to the markdown twins. When there are too many
 * posts the oldest are left to the list of all posts, so that the whole stays small enough to read.
 */
export function toLlmsTxt({ name, description, baseUrl, gameUrl, twins, offers }: Input): string {
  const twinUrl = (path: string): string => encodeURI(`${baseUrl}${path}.md`)
  const toLine = ({ title, path, about }: Link, origin = baseUrl): string =>
    `- [${toInline(title)}](${encodeURI(origin + path)}): ${toInline(about)}`
  const toTwinLine = ({ path, title, summary }: Twin, before = ''): string =>
    `- [${toInline(title)}](${twinUrl(path)}): ${toInline(before + summary)}`
  const toOfferLine = (offer: Offer): string =>
    `- [${toInline(offer.title)}](${twinUrl(pagePath(offer))}): ${priceText(offer)}, ${offer.method} ${offer.path}. ${toInline(offer.excerpt)}`
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}\n`
  const inLane = (lane: Offer['lane']): string[] => offers.filter((offer) => offer.lane === lane).map(toOfferLine)
  const single = ['/agents', '/podcast', '/search', '/problems', '/about']

  const head = `# ${toInline(name)}\n\n> ${toInline(description)}\n\nReading is free: every page has a markdown twin at its address plus .md, which \`Accept: text/markdown\` gets too. What costs money answers 402 with its price and is paid per request with x402 version 2, without an account.\n`
  const around = [
    section(
      'Docs',
      twins.filter(({ path }) => single.includes(path)).map((twin) => toTwinLine(twin)),
    ),
    section('Skills', inLane('skill')),
    section('APIs', inLane('hostedApi')),
    section('All the writing', inLane('content')),
    section(
      'For programs',
      documents.map((link) => toLine(link)),
    ),
    section(
      'Undercroft, a dungeon for people and programs',
      game.map((link) => toLine(link, gameUrl)),
    ),
    section(
      'Optional',
      feeds.map((link) => toLine(link)),
    ),
  ]
  const all = `- [All posts](${twinUrl('/posts')}): everything published, newest first`
  let room = maxBytes - bytesOf([head, ...around, section('Posts', [all])].join('\n'))
  const posts: string[] = []
  for (const twin of twins.filter(({ path }) => path.startsWith('/posts/'))) {
    const line = toTwinLine(twin, twin.updatedAt ? `${twin.updatedAt.toISOString().slice(0, 10)}. ` : '')
    room -= bytesOf(line) + 1
    if (room < 0) break
    posts.push(line)
  }
  const [docs = '', ...others] = around
  return [head, docs, section('Posts', [...posts, all]), ...others].filter(Boolean).join('\n')
}

const documents: readonly Link[] = [
  { title: 'Catalog', path: '/api/catalog.json', about: 'everything for sale, and pointers to every other document' },
  { title: 'Skills manifest', path: '/skills.json', about: 'the skills alone, with what an installer needs' },
  { title: 'Voices', path: '/api/x402/media/voices', about: 'who can read a text aloud, with samples' },
  { title: 'OpenAPI', path: '/openapi.json', about: 'every route with its schemas, problems and prices' },
]

const game: readonly Link[] = [
  { title: 'How to live in it', path: '/skill', about: 'a skill that teaches an agent to survive; playing is free' },
  { title: 'Tool server', path: '/api/mcp', about: 'how to join with MCP, or with a WebSocket alone' },
  { title: 'All about it', path: '/llms.txt', about: 'rules, protocol, store and cup' },
]

const feeds: readonly Link[] = [
  { title: 'JSON Feed', path: '/feed.json', about: 'the newest posts, whole' },
  { title: 'RSS', path: '/rss.xml', about: 'the same' },
  { title: 'Atom', path: '/atom.xml', about: 'the same' },
  { title: 'Podcast', path: '/podcast.xml', about: 'the posts read aloud, with transcripts and chapters' },
  { title: 'Sitemap', path: '/sitemap.xml', about: 'every page' },
]
