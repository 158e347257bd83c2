import site from '../../site.config.ts'
import { documentOperations } from './document-operations.ts'
import { type Free, type FreeTable, toFreePaths } from './free-operation.ts'
import { audio, inPath, json, string, text } from './operation-contents.ts'
import { operatorOperations } from './operator-operations.ts'
import { sharedOperations } from './shared-operations.ts'
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
  ...documentOperations,
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
  ...toFreePaths({ ...sharedOperations, ...toolOperations }, 'free', [{ url: baseUrl }, { url: gameUrl }]),
  ...toFreePaths(operatorOperations, 'operator'),
})
