import type { ProblemKind } from '../problem-kinds.ts'
import { toProblemResponses } from './problem-responses.ts'

/** What a free document may answer besides 200. */
export const freeProblems: readonly ProblemKind[] = ['rate-limited', 'internal-error']

interface Free {
  readonly id: string
  readonly summary: string
  readonly answer: string
  readonly content: Record<string, { schema: object }>
  readonly parameters?: readonly object[]
  readonly problems?: readonly ProblemKind[]
  /** Answers that only this route gives. */
  readonly responses?: Readonly<Record<number, object>>
}

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
const health = { 'application/json': { schema: { type: 'object' } } }
const inPath = (name: string, description: string) => [
  { name, in: 'path', required: true, description, schema: { type: 'string' } },
]

const string = { type: 'string' }
const audio = { 'audio/mpeg': { schema: { type: 'string', contentMediaType: 'audio/mpeg' } } }
const markdown = { 'text/markdown': { schema: string } }

/** What is read rather than called: feeds, maps, pages as markdown. */
const documents: Readonly<Record<string, Free>> = {
  '/llms.txt': {
    id: 'get-llms-txt',
    summary: 'What is here, a line each',
    answer: 'An index for language models, with links to the pages as markdown (llmstxt.org)',
    content: text,
  },
  '/index.md': {
    id: 'get-home-markdown',
    summary: 'The front page as markdown',
    answer: 'Markdown; every page has such a twin at its own address plus .md',
    content: markdown,
  },
  '/posts/{slug}.md': {
    id: 'get-post-markdown',
    summary: 'A post as markdown',
    answer: 'The whole post',
    content: markdown,
    parameters: inPath('slug', 'From the address of the post'),
    problems: ['not-found'],
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
  },
  '/atom.xml': {
    id: 'get-atom',
    summary: 'The newest posts as Atom 1.0',
    answer: 'Whole posts, newest first',
    content: { 'application/atom+xml': { schema: string } },
  },
  '/feed.json': {
    id: 'get-json-feed',
    summary: 'The newest posts as JSON Feed 1.1',
    answer: 'Whole posts, newest first',
    content: { 'application/feed+json': { schema: { type: 'object' } } },
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
    responses: {
      206: { description: 'The bytes that were asked for', content: audio },
      416: { description: 'The range begins beyond the end; Content-Range says how long the file is' },
    },
  },
  '/sitemap.xml': {
    id: 'get-sitemap',
    summary: 'Every page',
    answer: 'A sitemap with dates of last change (sitemaps.org)',
    content: { 'application/xml': { schema: string } },
  },
  '/robots.txt': {
    id: 'get-robots-txt',
    summary: 'What crawlers are asked to do',
    answer: 'Rules by crawler (RFC 9309), with content signals',
    content: text,
  },
}

const routes: Readonly<Record<string, Free>> = {
  '/api/catalog.json': {
    id: 'get-catalog',
    summary: 'Everything for sale',
    answer: 'The master catalog: products by lane, prices, and pointers to every other document',
    content: json('Catalog'),
  },
  '/skills.json': {
    id: 'get-skills-manifest',
    summary: 'The skills alone',
    answer: 'The skills manifest',
    content: json('SkillsManifest'),
  },
  '/skills/{slug}/install': {
    id: 'get-install-script',
    summary: 'A shell script that fetches a paid skill and keeps it',
    answer: 'The script; read it before you run it',
    content: text,
    parameters: inPath('slug', 'A slug from the manifest'),
    problems: ['not-found'],
  },
  '/api/stats.json': {
    id: 'get-statistics',
    summary: 'What was sold',
    answer: 'Activity statistics, at most five minutes old',
    content: json('Statistics'),
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
    responses: {
      206: { description: 'The bytes that were asked for', content: audio },
      416: { description: 'The range begins beyond the end; Content-Range says how long the file is' },
    },
  },
  '/api/receipts/{id}.json': {
    id: 'get-receipt',
    summary: 'The receipt of one sale',
    answer: 'The receipt; its page for people is /receipts/{id}',
    content: json('Receipt'),
    parameters: inPath('id', 'From the X-Receipt-Id header of the paid answer'),
    problems: ['not-found'],
  },
  '/openapi.json': {
    id: 'get-openapi',
    summary: 'This document',
    answer: 'OpenAPI 3.1',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  ...documents,
  '/healthz': { id: 'get-liveness', summary: 'Whether the process lives', answer: 'It lives', content: health },
  '/readyz': {
    id: 'get-readiness',
    summary: 'Whether the shop can sell',
    answer: 'The ledger is writable and the facilitator is known',
    content: health,
    problems: ['busy'],
  },
}

const toOperation = ({ id, summary, answer, content, parameters, problems = [], responses }: Free) => ({
  get: {
    operationId: id,
    tags: ['free'],
    summary,
    security: [],
    ...(parameters && { parameters }),
    responses: {
      200: { description: answer, content },
      ...responses,
      ...toProblemResponses([...problems, ...freeProblems]),
    },
  },
})

/** The OpenAPI `paths` of everything that needs no payment. */
export const toFreePaths = () =>
  Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, toOperation(route)]))
