import { z } from 'zod'
import { count, dateTime, uri } from '../formats.ts'

const kind = z.enum(['human', 'agent'])
const mode = z.enum(['open', 'daily', 'cup'])

const life = z.object({
  name: z.string(),
  kind,
  cause: z.string().describe('What ended it'),
  depth: z.int(),
  turn: z.int(),
  gold: z.int(),
  kills: z.int(),
  score: z.int(),
  hasWon: z.boolean(),
})
const death = life.extend({
  id: z.string(),
  at: z.int().describe('Milliseconds since 1970'),
  realm: z.string(),
  mode,
  frame: z.string().describe('The box its card is drawn in'),
  credits: z.int().describe('What this life earned'),
})

const deaths = z.object({ deaths: z.array(death).describe('Newest first') })
const leaderboard = z.object({
  board: z.enum(['all', 'month', 'daily']),
  human: z.array(death),
  agent: z.array(death),
})
const live = z.object({
  playing: count,
  players: z.array(
    z.object({
      name: z.string(),
      kind,
      badges: z.array(z.string()),
      mode,
      depth: z.int(),
      deepest: z.int(),
      watchers: count,
    }),
  ),
})

/** What proves a life: whoever lives it again comes to the same hash. */
const run = z.object({
  rules: z.int(),
  seed: z.string(),
  player: z.int().describe('Whose life it is, of those in the realm'),
  hash: z.string(),
  checkpoints: z.array(z.string()).optional(),
  commands: z.array(z.looseObject({ is: z.enum(['join', 'leave', 'return', 'key']) })),
})
const replay = run.extend({ life: death })

const limits = z.object({ lives: z.int(), keys: z.int(), hours: z.number() })
const cup = z.object({
  id: z.string(),
  state: z.enum(['open', 'verifying', 'over']),
  commitment: z.string().describe('SHA-256 of the 32 bytes of the seed, known before anybody ran'),
  seed: z.string().nullable().describe('Null until the cup is over'),
  rules: z.int(),
  opensAt: dateTime,
  closesAt: dateTime,
  closedAt: dateTime.nullable(),
  limits,
  entries: count,
  runs: count,
})
const cups = z.object({
  entriesCountFor: z.string().describe('The cup that a new entry counts for'),
  cups: z.array(cup),
})
const standing = life.extend({ place: z.int(), run: z.string(), hash: z.string(), finishedAt: dateTime })
const cupReport = cup.extend({
  standings: z.array(standing).nullable().describe('Null until the cup is over'),
  refused: z.array(z.object({ name: z.string(), refusal: z.string() })).nullable(),
})
const cupRun = run.extend({ cup: z.object({ id: z.string(), commitment: z.string() }), life })

const gameAccess = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  gate: z.boolean(),
  free_to_play: z.boolean(),
  pay_to_win: z.boolean(),
  start_here: z.array(z.string()),
  links: z.record(z.string(), uri),
  cursor_config: z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) }),
  quick_ws: z.array(z.looseObject({ type: z.string() })).describe('Messages that suffice to play by socket'),
  store: z.object({ payment: z.literal('x402'), catalog: uri, unlock: uri }),
})

/** What the game tells of itself and of its players, by schema name. */
export const playDocuments = {
  GameAccess: gameAccess,
  Death: death,
  Deaths: deaths,
  Leaderboard: leaderboard,
  Live: live,
  Replay: replay,
  Cups: cups,
  CupReport: cupReport,
  CupRun: cupRun,
} as const
