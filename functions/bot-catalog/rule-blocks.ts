import type { Crawler, crawlerUses } from '../../src/content/crawlers-schema.ts'

type Use = (typeof crawlerUses)[number]

const uses: Readonly<Record<Crawler['category'], Use>> = {
  training: 'train',
  control_token: 'train',
  data_collection: 'train',
  search: 'search',
  user_fetch: 'person',
  agent: 'person',
  preview: 'person',
  ads: 'owner',
}

/** What a crawler is used for: its own `use`, or else the usual one of its category. */
export const useOf = ({ category, use }: Crawler): Use => use ?? uses[category]

const about: Readonly<Record<Use, string>> = {
  train: 'crawlers that collect for training and data sets',
  search: 'crawlers that index for search and answers',
  person: 'fetchers that come because a person asked',
  owner: 'crawlers that come because the owner of a site asked',
}

/** Whether robots.txt can name it: a product token (RFC 9309), or one with dots or digits, as some crawlers have. */
const isToken = (name: string): boolean => /^[\w.-]+$/.test(name)

/** Rules that keep the crawlers of one use out, in the syntax of each kind of server and of robots.txt. */
export interface RuleBlock {
  readonly robotsTxt: string
  readonly nginx: string
  readonly caddy: string
  readonly cloudflare: string
}

/**
 * Blocking rules for each use of crawlers. Control tokens stand only in robots.txt, because no request carries them;
 * the server rules match the other names anywhere in `User-Agent`, in any case.
 */
export const toRuleBlocks = (crawlers: readonly Crawler[]): Readonly<Record<Use, RuleBlock>> => {
  const of = (use: Use): RuleBlock => {
    const wanted = crawlers.filter((crawler) => useOf(crawler) === use)
    const namesOf = (some: readonly Crawler[]) => [
      ...new Set(some.flatMap(({ userAgent, aliases }) => [userAgent, ...aliases]).filter(isToken)),
    ]
    return toBlock(use, namesOf(wanted), namesOf(wanted.filter(({ category }) => category !== 'control_token')))
  }
  return { train: of('train'), search: of('search'), person: of('person'), owner: of('owner') }
}

function toBlock(use: Use, tokens: readonly string[], sent: readonly string[]): RuleBlock {
  const words = `(?:${sent.map((name) => name.replaceAll('.', '\\.')).join('|')})`
  const title = `# Keeps out ${about[use]}.`
  // An empty list of names would make a rule that matches every client.
  const lines = (names: readonly string[], ...all: readonly string[]): string =>
    `${(names.length === 0 ? [title, '# There are none.'] : [title, ...all]).join('\n')}\n`
  return {
    robotsTxt: lines(tokens, ...tokens.map((name) => `User-agent: ${name}`), 'Disallow: /'),
    nginx: lines(
      sent,
      '# In http { }:',
      `map $http_user_agent $ai_${use} {`,
      '  default 0;',
      `  "~*${words}" 1;`,
      '}',
      '# In server { }:',
      `if ($ai_${use}) { return 403; }`,
    ),
    caddy: lines(sent, `@ai_${use} header_regexp User-Agent (?i)${words}`, `respond @ai_${use} 403`),
    cloudflare: sent.map((name) => `(lower(http.user_agent) contains "${name.toLowerCase()}")`).join(' or '),
  }
}
