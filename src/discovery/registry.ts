/** A document or an address that programs read, described once for all the places that list it. */
export interface MachineDocument {
  readonly host: 'site' | 'game'
  readonly path: `/${string}`
  /** Media type, without parameters. */
  readonly type: string
  readonly title: string
  readonly about: string
  /** Its name in the catalog's pointers. Names never change, so clients keep them. */
  readonly pointer?: string
  /** What it is to its host's API (RFC 8631), as the API catalog says it. */
  readonly relation?: 'service-desc' | 'service-doc' | 'service-meta' | 'status'
  /** How the `Link` header of the front page names it; left out where it does not. */
  readonly homeRelation?: string
  /** The section of `/llms.txt` that lists it. */
  readonly section?: 'programs' | 'game' | 'feeds'
}

type About = Omit<MachineDocument, 'host' | 'path' | 'type' | 'title' | 'about'>

const on =
  (host: MachineDocument['host']) =>
  (path: MachineDocument['path'], type: string, title: string, about: string, more: About = {}): MachineDocument => ({
    host,
    path,
    type,
    title,
    about,
    ...more,
  })
const site = on('site')
const game = on('game')

const json = 'application/json'
const html = 'text/html'
const markdown = 'text/markdown'
const plain = 'text/plain'

/**
 * Everything for programs, in the order of its importance. A document is here only when it answers; pointers, the
 * `Link` header, `/llms.txt` and the API catalog derive from this list.
 */
export const registry: readonly MachineDocument[] = [
  site('/api/catalog.json', json, 'Catalog', 'everything for sale, and pointers to every other document', {
    relation: 'service-meta',
    section: 'programs',
  }),
  site('/.well-known/api-catalog', 'application/linkset+json', 'API catalog', 'both services and what describes them', {
    homeRelation: 'api-catalog',
    section: 'programs',
  }),
  site('/skills.json', json, 'Skills manifest', 'the skills alone, with what an installer needs', {
    pointer: 'skills_manifest',
    relation: 'service-meta',
    section: 'programs',
  }),
  site('/.well-known/agent-skills/index.json', json, 'Free skills', 'a skill that teaches an agent to buy here', {
    relation: 'service-meta',
    section: 'programs',
  }),
  site('/.well-known/x402', json, 'Paid addresses', 'every paid address with its terms, as directories read them', {
    relation: 'service-meta',
  }),
  site('/api/x402/media/voices', json, 'Voices', 'who can read a text aloud, with samples', { section: 'programs' }),
  site('/openapi.json', json, 'OpenAPI', 'every route with its schemas, problems and prices', {
    pointer: 'openapi',
    relation: 'service-desc',
    homeRelation: 'service-desc',
    section: 'programs',
  }),
  site('/agents', html, 'For agents', 'how to find, pay and retry', {
    pointer: 'agent_docs',
    relation: 'service-doc',
    homeRelation: 'service-doc',
  }),
  site('/api/mcp', json, 'Tool server', 'reading, searching and buying as tools (MCP), for nothing or by x402', {
    pointer: 'mcp',
    relation: 'service-meta',
    section: 'programs',
  }),
  site('/.well-known/mcp/server-card.json', json, 'Server card', 'the tool server, as directories read it', {
    relation: 'service-meta',
  }),
  site('/auth.md', markdown, 'Authentication', 'why nobody registers here, and what stands in its place', {
    relation: 'service-doc',
    section: 'programs',
  }),
  site(
    '/.well-known/oauth-protected-resource',
    json,
    "The operator's door",
    'where programs of the operator get a token for the tools',
    {
      pointer: 'mcp_oauth',
      relation: 'service-meta',
    },
  ),
  site('/.well-known/oauth-authorization-server', json, "The operator's sign-in", 'how a program asks for a token', {
    relation: 'service-meta',
  }),
  site('/index.md', markdown, 'Front page', 'the front page as markdown', { homeRelation: 'alternate' }),
  site('/llms.txt', plain, 'Index for models', 'the pages and the products, as links', {
    pointer: 'llms_discovery',
    relation: 'service-doc',
    homeRelation: 'describedby',
  }),
  site('/readyz', json, 'Readiness', 'whether the shop can sell', { relation: 'status' }),
  site('/api/stats.json', json, 'Statistics', 'what was sold', { pointer: 'stats' }),
  site('/api/cron-health.json', json, 'Job health', 'when backups and narration last ran, and how it went', {
    pointer: 'cron_health',
    relation: 'status',
    section: 'programs',
  }),
  site('/api/search.json', json, 'Search', 'search in posts and pages', { pointer: 'search' }),
  site('/api/transcripts/search.json', json, 'Transcript search', 'search in what is said in the narrations', {
    pointer: 'transcript_search',
  }),
  site('/audio/{storage_key}.mp3', 'audio/mpeg', 'Narration', 'a post read aloud', { pointer: 'audio_template' }),
  site('/feed.json', 'application/feed+json', 'JSON Feed', 'the newest posts, whole', {
    pointer: 'json_feed',
    homeRelation: 'alternate',
    section: 'feeds',
  }),
  site('/rss.xml', 'application/rss+xml', 'RSS', 'the same', { pointer: 'rss', section: 'feeds' }),
  site('/atom.xml', 'application/atom+xml', 'Atom', 'the same', { pointer: 'atom', section: 'feeds' }),
  site('/podcast', html, 'Podcast page', 'the episodes for people', { pointer: 'podcast_landing' }),
  site('/podcast.xml', 'application/rss+xml', 'Podcast', 'the posts read aloud, with transcripts and chapters', {
    pointer: 'podcast',
    section: 'feeds',
  }),
  site('/sitemap.xml', 'application/xml', 'Sitemap', 'every page', { pointer: 'sitemap', section: 'feeds' }),
  game('/skill', markdown, 'How to live in it', 'a skill that teaches an agent to survive; playing is free', {
    relation: 'service-doc',
    section: 'game',
  }),
  game('/api/mcp', json, 'Tool server', 'how to join with MCP, or with a WebSocket alone', {
    relation: 'service-meta',
    section: 'game',
  }),
  game('/.well-known/mcp/server-card.json', json, 'Server card', 'the tool server, as directories read it', {
    relation: 'service-meta',
  }),
  game('/api/store', json, 'Store', 'what is sold in the game; none of it helps', { relation: 'service-meta' }),
  game(
    '/.well-known/x402',
    json,
    'Paid addresses',
    'the one paid address of the game, with the terms of each product',
    {
      relation: 'service-meta',
    },
  ),
  game('/agents.md', markdown, 'Protocol', 'messages, keys and limits of the WebSocket', { relation: 'service-doc' }),
  game('/llms.txt', plain, 'All about it', 'rules, protocol, store and cup', {
    relation: 'service-doc',
    section: 'game',
  }),
  game('/readyz', json, 'Readiness', 'whether the game can sell', { relation: 'status' }),
]
