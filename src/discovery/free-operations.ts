import site from '../../site.config.ts'
import { type Free, type FreeTable, toFreePaths } from './free-operation.ts'
import { operatorOperations } from './operator-operations.ts'
import type { Shop } from './shop.ts'
import { toolOperations } from './tool-operations.ts'

const q = {
  name: 'q',
  in: 'query',
  required: true,
  description: 'What to search for',
  schema: { type: 'string', minLength: 2, maxLength: 256 },
}
const limit = {
  name: 'limit',
  in: 'query',
  description: 'How many results at most',
  schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
}

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })
const text = { 'text/plain': { schema: { type: 'string' } } }
const object = (...required: readonly string[]) => ({
  'application/json': { schema: { type: 'object', required } },
})
const inPath = (name: string, description: string) => [
  { name, in: 'path', required: true, description, schema: { type: 'string' } },
]

const string = { type: 'string' }
const audio = { 'audio/mpeg': { schema: { type: 'string', contentMediaType: 'audio/mpeg' } } }
const markdown = { 'text/markdown': { schema: string } }

/** What is read rather than called: feeds, maps, pages as markdown. */
const documents: FreeTable = {
  '/index.md': {
    id: 'get-home-markdown',
    summary: 'The front page as markdown',
    answer: 'Markdown; every page has such a twin at its own address plus .md',
    content: markdown,
    isFile: true,
  },
  '/status.md': {
    id: 'get-status-markdown',
    summary: 'The status page as markdown',
    answer: 'What needs attention, and what each job last did',
    content: markdown,
  },
  '/posts/{slug}.md': {
    id: 'get-post-markdown',
    summary: 'A post as markdown',
    answer: 'The whole post',
    content: markdown,
    parameters: inPath('slug', 'From the address of the post'),
    problems: ['not-found'],
    isFile: true,
  },
  '/posts/{slug}.vtt': {
    id: 'get-transcript',
    summary: 'What is said in the narration of a post',
    answer: 'WebVTT, a cue for each sentence',
    content: { 'text/vtt': { schema: string } },
    parameters: inPath('slug', 'From the address of the post'),
    problems: ['not-found'],
  },
  '/posts/{slug}.transcript.json': {
    id: 'get-transcript-json',
    summary: 'The same as JSON',
    answer: 'Segments with their times in seconds, as podcast players read them',
    content: { 'application/json': { schema: { type: 'object' } } },
    parameters: inPath('slug', 'From the address of the post'),
    problems: ['not-found'],
  },
  '/posts/{slug}.chapters.json': {
    id: 'get-chapters',
    summary: 'The chapters of the narration of a post',
    answer: 'Chapters with their times in seconds, as podcast players read them',
    content: { 'application/json+chapters': { schema: { type: 'object' } } },
    parameters: inPath('slug', 'From the address of the post'),
    problems: ['not-found'],
  },
  '/podcast.xml': {
    id: 'get-podcast',
    summary: 'The posts read aloud, as a podcast',
    answer: 'RSS 2.0 with itunes: and podcast: tags, newest first',
    content: { 'application/rss+xml': { schema: string } },
  },
  '/rss.xml': {
    id: 'get-rss',
    summary: 'The newest posts as RSS 2.0',
    answer: 'Whole posts, newest first',
    content: { 'application/rss+xml': { schema: string } },
    isFile: true,
  },
  '/atom.xml': {
    id: 'get-atom',
    summary: 'The newest posts as Atom 1.0',
    answer: 'Whole posts, newest first',
    content: { 'application/atom+xml': { schema: string } },
    isFile: true,
  },
  '/feed.json': {
    id: 'get-json-feed',
    summary: 'The newest posts as JSON Feed 1.1',
    answer: 'Whole posts, newest first',
    content: { 'application/feed+json': { schema: { type: 'object' } } },
    isFile: true,
  },
  '/audio/{storage_key}.mp3': {
    id: 'get-narration',
    summary: 'A post read aloud',
    answer: 'The whole MP3; it never changes',
    content: audio,
    parameters: [
      ...inPath('storage_key', 'From the enclosure of a feed item'),
      { name: 'Range', in: 'header', description: 'One range of bytes (RFC 9110)', schema: string },
    ],
    problems: ['not-found'],
    isFile: true,
  },
  '/sitemap.xml': {
    id: 'get-sitemap',
    summary: 'Every page',
    answer: 'A sitemap with dates of last change (sitemaps.org)',
    content: { 'application/xml': { schema: string } },
    isFile: true,
  },
  '/auth.md': {
    id: 'get-auth-markdown',
    summary: 'What stands where other services register their callers',
    answer: 'Markdown',
    content: markdown,
    isFile: true,
  },
  '/.well-known/api-catalog': {
    id: 'get-api-catalog',
    summary: 'The site and the game, and what describes them',
    answer: 'A link set (RFC 9727, RFC 9264)',
    content: { 'application/linkset+json': { schema: { type: 'object', required: ['linkset'] } } },
    isFile: true,
  },
  '/site.webmanifest': {
    id: 'get-web-manifest',
    summary: 'What a home screen shows of the site',
    answer: 'A web application manifest',
    content: { 'application/manifest+json': { schema: { type: 'object' } } },
    isFile: true,
  },
  '/robots.txt': {
    id: 'get-robots-txt',
    summary: 'What crawlers are asked to do',
    answer: 'Rules by crawler (RFC 9309), with content signals',
    content: text,
    isFile: true,
  },
}

const routes: FreeTable = {
  '/api/catalog.json': {
    id: 'get-catalog',
    summary: 'Everything for sale',
    answer: 'The master catalog: products by lane, prices, and pointers to every other document',
    content: json('Catalog'),
    isFile: true,
  },
  '/skills.json': {
    id: 'get-skills-manifest',
    summary: 'The skills alone',
    answer: 'The skills manifest',
    content: json('SkillsManifest'),
    isFile: true,
  },
  '/skills/{slug}/install': {
    id: 'get-install-script',
    summary: 'A shell script that fetches a paid skill and keeps it',
    answer: 'The script; read it before you run it',
    content: text,
    parameters: inPath('slug', 'A slug from the manifest'),
    problems: ['not-found'],
    isFile: true,
  },
  '/api/stats.json': {
    id: 'get-statistics',
    summary: 'What was sold',
    answer: 'Activity statistics, at most five minutes old',
    content: json('Statistics'),
  },
  '/api/cron-health.json': {
    id: 'get-job-health',
    summary: 'Whether the scheduled jobs run',
    answer: 'The latest run of each tier, and whether the newest of them is recent enough',
    content: json('CronHealth'),
  },
  '/api/search.json': {
    id: 'search',
    summary: 'Full-text search in posts and pages',
    answer: 'Every term matches, the last one also as the beginning of a word; best first',
    content: json('SearchResult'),
    parameters: [
      q,
      limit,
      {
        name: 'collections',
        in: 'query',
        description: 'Where to search, separated by commas',
        style: 'form',
        explode: false,
        schema: {
          type: 'array',
          minItems: 1,
          items: { type: 'string', enum: ['posts', 'pages'] },
          default: ['posts', 'pages'],
        },
      },
    ],
    problems: ['invalid-input'],
  },
  '/api/transcripts/search.json': {
    id: 'search-transcripts',
    summary: 'Search in what is said in the narrations',
    answer: 'Sentences with the second they begin at and a link that plays from there',
    content: json('TranscriptHits'),
    parameters: [
      q,
      limit,
      { name: 'post', in: 'query', description: 'The slug of the only post to search in', schema: string },
    ],
    problems: ['invalid-input'],
  },
  '/api/x402/media/voices': {
    id: 'get-voices',
    summary: 'The voices that read texts aloud',
    answer: 'The voices of the engine that this shop uses, with samples where there are some',
    content: json('Voices'),
  },
  '/api/x402/media/voices/{voiceId}.mp3': {
    id: 'get-voice-sample',
    summary: 'What a voice sounds like',
    answer: 'A few seconds of speech as MP3',
    content: audio,
    parameters: inPath('voiceId', 'From the sampleUrl of a voice'),
    problems: ['not-found'],
    isFile: true,
  },
  '/openapi.json': {
    id: 'get-openapi',
    summary: 'This document',
    answer: 'OpenAPI 3.1',
    content: { 'application/json': { schema: { type: 'object' } } },
    isFile: true,
  },
  ...documents,
}

/** What both programs answer, each for itself. */
const shared: FreeTable = {
  '/healthz': {
    id: 'get-liveness',
    summary: 'Whether the process lives',
    answer: 'It lives',
    content: json('Liveness'),
  },
  '/readyz': {
    id: 'get-readiness',
    summary: 'Whether the program can sell',
    answer: 'The ledger is writable and the facilitator is known',
    content: json('Readiness'),
    responses: { 503: { description: 'It cannot sell now, and says why', content: json('Readiness') } },
  },
  '/llms.txt': {
    id: 'get-llms-txt',
    summary: 'What is here, a line each',
    answer: 'An index for language models, with links to the pages as markdown (llmstxt.org)',
    content: text,
    isFile: true,
  },
  '/agents.md': {
    id: 'get-agents-markdown',
    summary: 'For agents: how to buy on the site, how to play on the game host',
    answer: 'Markdown',
    content: markdown,
    isFile: true,
  },
  '/api/receipts/{id}.json': {
    id: 'get-receipt',
    summary: 'The receipt of one sale',
    answer: 'The receipt; its page for people is /receipts/{id}',
    content: json('Receipt'),
    parameters: inPath('id', 'From the X-Receipt-Id header of the paid answer'),
    problems: ['not-found'],
    isTagged: true,
    responses: { 308: { description: 'From the game host to the site, which keeps the receipts of both' } },
  },
  '/.well-known/x402': {
    id: 'get-paid-addresses',
    summary: 'Every paid address of this host, with its terms',
    answer: 'The list that directories of paid APIs read',
    content: object('version', 'resources', 'items'),
    isFile: true,
  },
  '/.well-known/agent-skills/index.json': {
    id: 'get-free-skills',
    summary: 'The free skills of this host',
    answer: 'An index of agent skills, version 0.2.0, with the digest of each file',
    content: object('$schema', 'skills'),
    isFile: true,
  },
  '/.well-known/skills/index.json': {
    id: 'get-free-skills-early',
    summary: 'The same for readers of version 0.1',
    answer: 'An index of agent skills, whose files lie beside it',
    content: object('skills'),
    isFile: true,
  },
  '/.well-known/agent-skills/{name}/SKILL.md': {
    id: 'get-free-skill',
    summary: 'A free skill',
    answer: 'The file that an agent loads',
    content: markdown,
    parameters: inPath('name', 'From the index'),
    problems: ['not-found'],
    isFile: true,
  },
  '/.well-known/skills/{name}/SKILL.md': {
    id: 'get-free-skill-early',
    summary: 'The same file, where readers of version 0.1 look',
    answer: 'The file that an agent loads',
    content: markdown,
    parameters: inPath('name', 'From the index'),
    problems: ['not-found'],
    isFile: true,
  },
}

/** Only where there is somebody to write to. */
const contact: FreeTable =
  site.contact === ''
    ? {}
    : {
        '/.well-known/security.txt': {
          id: 'get-security-txt',
          summary: 'Where to report a vulnerability',
          answer: 'A contact and until when it is good (RFC 9116)',
          content: text,
          isFile: true,
        },
      }

const tagged = (table: FreeTable): FreeTable =>
  Object.fromEntries(Object.entries(table).map(([path, free]): [string, Free] => [path, { isTagged: true, ...free }]))

/** The OpenAPI `paths` of everything on the site that needs no payment. */
export const toSitePaths = ({ baseUrl, gameUrl }: Pick<Shop, 'baseUrl' | 'gameUrl'>) => ({
  ...toFreePaths(tagged({ ...routes, ...contact }), 'free'),
  ...toFreePaths({ ...shared, ...toolOperations }, 'free', [{ url: baseUrl }, { url: gameUrl }]),
  ...toFreePaths(operatorOperations, 'operator'),
})
