import type { FreeTable } from '../free-operation.ts'
import { json } from '../operation-contents.ts'

const markdown = { 'text/markdown': { schema: { type: 'string' } } }
const inPath = (name: string, description: string) => [
  { name, in: 'path', required: true, description, schema: { type: 'string' } },
]
const limit = {
  name: 'limit',
  in: 'query',
  description: 'How many at most',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
}

/** What is read of the game: how to begin, who plays, who died, who won. */
export const gameDocuments: FreeTable = {
  '/api/agent': {
    id: 'get-game-access',
    summary: 'How a program begins, by socket',
    answer: 'The descriptor of the game, the steps of this door first',
    content: json('GameAccess'),
  },
  '/api/skill': {
    id: 'get-game-access-by-skill',
    summary: 'How a program begins, by skill',
    answer: 'The same descriptor, the steps of this door first',
    content: json('GameAccess'),
  },
  '/skill': {
    id: 'get-game-skill',
    summary: 'A skill that teaches the game',
    answer: 'A SKILL.md in the Agent Skills format',
    content: markdown,
  },
  '/api/live': {
    id: 'get-live-players',
    summary: 'Who plays now',
    answer: 'Players who may be seen, who did something last first',
    content: json('Live'),
  },
  '/api/deaths': {
    id: 'get-deaths',
    summary: 'Who died of what',
    answer: 'Lives that ended, newest first',
    content: json('Deaths'),
    parameters: [limit],
    problems: ['invalid-input'],
  },
  '/api/leaderboard': {
    id: 'get-leaderboard',
    summary: 'Who got furthest, people and agents apart',
    answer: "Each player's best life, best first",
    content: json('Leaderboard'),
    parameters: [
      {
        name: 'board',
        in: 'query',
        description: "All time, this month, or today's dungeon",
        schema: { type: 'string', enum: ['all', 'month', 'daily'], default: 'all' },
      },
      limit,
    ],
    problems: ['invalid-input'],
  },
  '/death/{id}.json': {
    id: 'get-death',
    summary: 'A life that ended',
    answer: 'The life; its page for people is /death/{id}',
    content: json('Death'),
    parameters: inPath('id', 'From a list of deaths'),
    problems: ['not-found'],
  },
  '/api/replays/{id}': {
    id: 'get-replay',
    summary: 'Everything that proves a life',
    answer: 'Seed, commands and hash; secret while somebody still plays with the seed',
    content: json('Replay'),
    parameters: inPath('id', 'Of a death'),
    problems: ['not-found'],
  },
  '/api/cups': { id: 'get-cups', summary: 'The cups', answer: 'Newest first', content: json('Cups') },
  '/api/cups/{id}': {
    id: 'get-cup',
    summary: 'One cup',
    answer: 'The cup; its standings once it is over',
    content: json('CupReport'),
    parameters: inPath('id', 'Such as cup-1'),
    problems: ['not-found'],
  },
  '/api/cup-runs/{id}': {
    id: 'get-cup-run',
    summary: 'Everything that proves a run of a cup',
    answer: 'Seed, commands and hashes',
    content: json('CupRun'),
    parameters: inPath('id', 'The run of a standing'),
    problems: ['not-found'],
  },
}
