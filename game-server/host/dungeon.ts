import type { Observation } from '../core/observe.ts'

/** Which dungeon a life is lived in: one shared with whoever comes, the same seed for all on one day, or a cup run. */
export type Mode = 'open' | 'daily' | 'cup'

export interface JoinRequest {
  readonly name: string
  readonly kind: 'human' | 'agent'
  readonly token?: string | undefined
  /** Absent: the life that is under way, else an open realm. */
  readonly mode?: Mode | undefined
}

/** What a player sees, for models and screen readers in words, for programs in fields. */
export interface Seen {
  readonly is: 'seen'
  readonly text: string
  readonly observation: Observation
  /** Present once this life is over. */
  readonly death?: Death
}

/** Everything the host says no with. */
export type RefusalCode =
  | 'bad_name'
  | 'bad_key'
  | 'not_joined'
  | 'dead'
  | 'rate_limited'
  | 'server_full'
  | 'wrong_token'
  | 'muted'
  | 'kicked'
  | 'cup_closed'
  | 'no_entry'

export interface Refusal {
  readonly is: 'refused'
  readonly code: RefusalCode
  /** One sentence that says what to do instead. */
  readonly message: string
  /** The keys that work now, when the key was the trouble. */
  readonly keys?: readonly string[]
  readonly retryAfterMs?: number
}

/** How a life ended, as anybody may read it. */
export interface Death {
  readonly id: string
  readonly name: string
  readonly kind: 'human' | 'agent'
  readonly cause: string
  readonly depth: number
  readonly turn: number
  readonly gold: number
  readonly kills: number
  readonly score: number
  readonly hasWon: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  readonly realm: string
  readonly mode: Mode
  /** The box its card is drawn in. */
  readonly frame: string
  /** What this life earned. */
  readonly credits: number
}

/** A seat taken, with the token that brings its player back. */
export interface Joined extends Seen {
  readonly token: string
  /** Whether a life went on, rather than began. */
  readonly isResumed: boolean
  readonly name: string
  /** The name that was asked for, when somebody else has it. */
  readonly requested?: string
}

/** The game as MCP and HTTP play it: one answer per question, nothing pushed. */
export interface Dungeon {
  join(request: JoinRequest): Promise<Joined | Refusal>
  look(token: string, options?: { full?: boolean }): Promise<Seen | Refusal>
  act(token: string, key: string): Promise<Seen | Refusal>
}
