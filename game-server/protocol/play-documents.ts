import { z } from 'zod'
import { count, dateTime, uri } from '../../src/core/formats.ts'
import { documents } from '../../src/core/json-schema.ts'
import { deathSchema, kindSchema, lifeSchema, modeSchema } from './dungeon.ts'
import { boardSchema } from './queries.ts'
import { maxKeys, maxRunMs, runFileSchema } from './run-file.ts'

const life = {
  name: 'Ada',
  kind: 'agent',
  cause: 'was bitten by an eel',
  depth: 3,
  turn: 812,
  gold: 41,
  kills: 9,
  score: 391,
  hasWon: false,
} as const
const death = {
  ...life,
  id: 'd_7Qm2',
  at: 1_795_200_000_000,
  realm: 'r_1',
  mode: 'open',
  frame: 'plain',
  credits: 6,
} as const
deathSchema.register(documents, { name: 'Death', example: death })

/** The lives that ended last. */
export const deathsSchema = z
  .object({ deaths: z.array(deathSchema).describe('Newest first') })
  .register(documents, { name: 'Deaths', example: { deaths: [death] } })

/** Each player's best life. */
export const leaderboardSchema = z
  .object({ board: boardSchema, human: z.array(deathSchema), agent: z.array(deathSchema) })
  .register(documents, { name: 'Leaderboard', example: { board: 'all', human: [], agent: [death] } })

/** Who plays now. */
export const liveSchema = z
  .object({
    playing: count,
    players: z.array(
      z.object({
        name: z.string(),
        kind: kindSchema,
        badges: z.array(z.string()),
        mode: modeSchema,
        depth: z.int(),
        deepest: z.int(),
        watchers: count,
      }),
    ),
  })
  .register(documents, {
    name: 'Live',
    example: {
      playing: 1,
      players: [{ name: 'Ada', kind: 'agent', badges: [], mode: 'open', depth: 2, deepest: 3, watchers: 1 }],
    },
  })

const run = {
  rules: 1,
  seed: 'a seed',
  player: 1,
  hash: 'ab'.repeat(32),
  commands: [{ is: 'join' as const, name: 'Ada', kind: 'agent' as const }],
}
/** A finished life with the log that proves it: a replay leads to the same hash. */
export const replaySchema = runFileSchema
  .omit({ cup: true })
  .extend({ life: deathSchema })
  .register(documents, { name: 'Replay', example: { ...run, life: death } })

const cup = {
  id: 'cup-1',
  state: 'open',
  commitment: 'cd'.repeat(32),
  seed: null,
  rules: 1,
  opensAt: '2026-11-20T08:00:00.000Z',
  closesAt: '2026-11-27T08:00:00.000Z',
  closedAt: null,
  limits: { lives: 1, keys: maxKeys, hours: maxRunMs / 3_600_000 },
  entries: 12,
  runs: 7,
} as const
const cupSchema = z.object({
  id: z.string(),
  state: z.enum(['open', 'verifying', 'over']),
  commitment: z.string().describe('SHA-256 of the 32 bytes of the seed, published before anybody plays'),
  seed: z.string().nullable().describe('Null until the cup is over'),
  rules: z.int(),
  opensAt: dateTime,
  closesAt: dateTime,
  closedAt: dateTime.nullable(),
  limits: z.object({ lives: z.int(), keys: z.int(), hours: z.number() }),
  entries: count,
  runs: count,
})

/** Every cup. */
export const cupsSchema = z
  .object({
    entriesCountFor: z.string().describe('The cup that a new entry counts for'),
    cups: z.array(cupSchema),
  })
  .register(documents, { name: 'Cups', example: { entriesCountFor: 'cup-1', cups: [cup] } })

const standing = lifeSchema.extend({ place: z.int(), run: z.string(), hash: z.string(), finishedAt: dateTime })
/** One cup with its results. */
export const cupReportSchema = cupSchema
  .extend({
    standings: z.array(standing).nullable().describe('Null until the cup is over'),
    refused: z.array(z.object({ name: z.string(), refusal: z.string() })).nullable(),
  })
  .register(documents, { name: 'CupReport', example: { ...cup, standings: null, refused: null } })

/** The file that proves a run of a cup. */
export const cupRunSchema = runFileSchema.required({ cup: true }).register(documents, {
  name: 'CupRun',
  example: { ...run, cup: { id: 'cup-1', commitment: cup.commitment }, life },
})

/** What a program needs to begin to play. */
export const gameAccessSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    gate: z.boolean(),
    free_to_play: z.boolean(),
    pay_to_win: z.boolean(),
    start_here: z.array(z.string()),
    links: z.record(z.string(), uri),
    cursor_config: z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) }),
    quick_ws: z
      .array(z.looseObject({ type: z.string() }))
      .describe('Two messages that are enough to play over a WebSocket'),
    store: z.object({ payment: z.literal('x402'), catalog: uri, unlock: uri }),
  })
  .register(documents, { name: 'GameAccess' })
