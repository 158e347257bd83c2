import { playerNamePattern } from '../core/player-name.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import type { Operation } from './route.ts'

const string = { type: 'string' }

/** A parameter of the query. */
export const inQuery = (name: string, description: string, schema: object = string, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})

const upTo = (maximum: number, byDefault: number) =>
  inQuery('limit', 'How many at most', { type: 'integer', minimum: 1, maximum, default: byDefault })
const q = inQuery('q', 'What to search for', { type: 'string', minLength: 2, maxLength: 256 }, { required: true })
const places = ['posts', 'pages']
const collections = inQuery(
  'collections',
  'Where to search, separated by commas',
  { type: 'array', minItems: 1, items: { type: 'string', enum: places }, default: places },
  { style: 'form', explode: false },
)
const boards = { type: 'string', enum: ['all', 'month', 'daily'], default: 'all' }
const name = { type: 'string', pattern: playerNamePattern.source }

/** An operation with these parameters refuses wrong values of them. */
const asking = (...parameters: readonly object[]) =>
  ({ parameters, problems: ['invalid-input'] }) satisfies Partial<Operation>

/** What searches and lists may be asked with. */
export const search = asking(q, upTo(50, 10), collections)
export const transcript = asking(q, upTo(50, 10), inQuery('post', 'The slug of the only post to search in'))
export const deaths = asking(upTo(100, 20))
export const board = asking(inQuery('board', "All time, this month, or today's dungeon", boards), upTo(100, 20))
export const player = asking(inQuery('player', 'Name of the player', name, { required: true, example: 'Ada' }))
/** One range of bytes can be asked for. */
export const rangeParameter = {
  name: 'Range',
  in: 'header',
  description: 'One range of bytes (RFC 9110)',
  schema: string,
}

/** What may be wrong with any JSON body. */
export const bodyProblems: readonly ProblemKind[] = ['invalid-input', 'body-too-large', 'unsupported-media-type']
