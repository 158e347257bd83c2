import type { Offer } from '../../functions/offer.ts'
import { pagePath } from '../../functions/offer.ts'
import { priceText } from '../../functions/price-text.ts'
import { toInline } from '../markdown.ts'
import type { Twin } from '../publishing/twins/twin.ts'
import { type MachineDocument, registry } from './registry.ts'

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
  const single = ['/agents', '/agents/mcp', '/podcast', '/search', '/problems', '/about']

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
      inSection('programs').map((link) => toLine(link)),
    ),
    section(
      'Undercroft, a dungeon for people and programs',
      inSection('game').map((link) => toLine(link, gameUrl)),
    ),
    section(
      'Optional',
      inSection('feeds').map((link) => toLine(link)),
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

const inSection = (section: MachineDocument['section']): readonly MachineDocument[] =>
  registry.filter((document) => document.section === section)
