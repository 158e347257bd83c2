import { toDid } from '../../payments/proof/did-document.ts'

interface Entry {
  /** Kind and name, such as `server:tools`. */
  readonly name: `${string}:${string}`
  readonly displayName: string
  readonly description: string
  /** The media type of the resource. */
  readonly type: string
  readonly path: `/${string}`
  /** Two to five phrases with which people would search for it. */
  readonly queries: readonly string[]
}

/**
 * `/.well-known/ai-catalog.json` (Agentic Resource Discovery): the resources of an origin that registries of agent
 * tools list. Each entry has the phrases that people would use to ask for it, because registries search in them.
 */
function toAiCatalog(origin: string, displayName: string, entries: readonly Entry[]) {
  const { hostname } = new URL(origin)
  return {
    specVersion: '1.0',
    host: { displayName, identifier: toDid(origin), documentationUrl: `${origin}/llms.txt` },
    entries: entries.map(({ name, path, queries, ...about }) => ({
      identifier: `urn:air:${hostname}:${name}`,
      ...about,
      url: origin + path,
      representativeQueries: queries,
    })),
  }
}

const serverCard = { type: 'application/mcp-server-card+json', path: '/.well-known/mcp/server-card.json' } as const

/** The AI catalog of the site. */
export const toSiteAiCatalog = (
  origin: string,
  title: string,
  skill: { readonly name: string; readonly path: `/${string}` },
) =>
  toAiCatalog(origin, title, [
    {
      name: 'server:tools',
      displayName: `Tools of ${title}`,
      description: 'Reads and searches the posts, describes what is for sale, and sells it, over MCP.',
      ...serverCard,
      queries: [
        'search essays about payments between machines',
        'buy an agent skill with USDC',
        'pack web pages for a model',
      ],
    },
    {
      name: `skill:${skill.name}`,
      displayName: `Buying from ${title}`,
      description: 'A free skill that teaches an agent to find, price and buy what is sold here.',
      type: 'text/markdown',
      path: skill.path,
      queries: ['how do I pay for an API call with x402', 'how do I retry a payment that got no answer'],
    },
    {
      name: 'api:shop',
      displayName: `API of ${title}`,
      description: 'Every route with its schemas and prices.',
      type: 'application/vnd.oai.openapi+json',
      path: '/openapi.json',
      queries: [
        'read a text aloud as MP3 for a few cents',
        'check how ready a site is for agents',
        'list AI crawlers and their user agents',
      ],
    },
  ])

/** The AI catalog of the game host. */
export const toGameAiCatalog = (origin: string, title: string) =>
  toAiCatalog(origin, title, [
    {
      name: 'server:dungeon',
      displayName: `Tools of ${title}`,
      description: 'Joins the dungeon, looks around and acts, over MCP. Free.',
      ...serverCard,
      queries: [
        'play a dungeon game over MCP',
        'a roguelike that an agent can play',
        'a turn-based game for agents and people',
      ],
    },
    {
      name: 'skill:undercroft',
      displayName: `How to live in ${title}`,
      description: 'A free skill that teaches an agent to survive.',
      type: 'text/markdown',
      path: '/skill',
      queries: ['how does an agent survive a roguelike', 'strategy for the Undercroft dungeon'],
    },
  ])
