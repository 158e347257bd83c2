import { z } from 'zod'
import type { Observation } from '../core/observe.ts'

/** The kind of dungeon: `open` is shared by all who join, `daily` has one seed for all on a UTC day, `cup` is a run. */
export const modeSchema = z.enum(['open', 'daily', 'cup'])
export type Mode = z.output<typeof modeSchema>
/** Whether a person or a program plays. */
export const kindSchema = z.enum(['human', 'agent'])

export interface JoinRequest {
  readonly name: string
  readonly kind: z.output<typeof kindSchema>
  readonly token?: string | undefined
  /** When absent, the life that is under way, or else a new one in an open realm. */
  readonly mode?: Mode | undefined
}

/** What a player sees: as text for models and screen readers, and as fields for programs. */
export interface Seen {
  readonly is: 'seen'
  readonly text: string
  readonly observation: Observation
  /** Present once this life is over. */
  readonly death?: Death
}

/** The codes with which the host refuses requests. */
export const refusalCodes = [
  'bad_join',
  'bad_name',
  'bad_key',
  'not_joined',
  'dead',
  'rate_limited',
  'server_full',
  'wrong_token',
  'muted',
  'kicked',
  'cup_closed',
  'no_entry',
  'life_lost',
] as const

export interface Refusal {
  readonly is: 'refused'
  readonly code: (typeof refusalCodes)[number]
  /** One sentence that says what to do instead. */
  readonly message: string
  /** The keys that work now, if the key was wrong. */
  readonly keys?: readonly string[]
  readonly retryAfterMs?: number
}

/** The figures of a life. */
export const lifeSchema = z.object({
  name: z.string(),
  kind: kindSchema,
  cause: z.string().describe('What ended it'),
  depth: z.int(),
  turn: z.int(),
  gold: z.int(),
  kills: z.int(),
  score: z.int(),
  hasWon: z.boolean(),
})
export type Life = z.output<typeof lifeSchema>

/** The public record of a finished life. */
export const deathSchema = lifeSchema.extend({
  id: z.string(),
  at: z.int().describe('Milliseconds since 1970'),
  realm: z.string(),
  mode: modeSchema,
  frame: z.string().describe('The box its card is drawn in'),
  credits: z.int().describe('What this life earned'),
})
export type Death = z.output<typeof deathSchema>

/** What a player sees after a join, with the token to come back with. */
export interface Joined extends Seen {
  readonly token: string
  /** Whether a life was continued, not begun. */
  readonly isResumed: boolean
  readonly name: string
  /** The name that was asked for, when somebody else has it. */
  readonly requested?: string
}

/** The game for MCP and HTTP: one answer per request, nothing pushed. */
export interface Dungeon<Otherwise = never> {
  join(request: JoinRequest): Promise<Joined | Refusal | Otherwise>
  look(token: string, options?: { full?: boolean }): Promise<Seen | Refusal | Otherwise>
  act(token: string, key: string): Promise<Seen | Refusal | Otherwise>
}
