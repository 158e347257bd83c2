import type { Mode } from '../protocol/dungeon.ts'

/** One world. Times are integer milliseconds. */
export interface RealmTable {
  id: string
  mode: Mode
  /** The UTC day of a daily dungeon, or the id of a cup. */
  event: string | null
  /** Secret until the realm is over. */
  seed: string
  /** Version of the rules that its log is replayed under. */
  rules: number
  opened_at: number
  /** When it ended: the last character in it died, it was forgotten, or its log could not be read. */
  closed_at: number | null
  /**
   * Set while the realm is on disk only and every reward in it is paid: when a living player last did something in it
   * or was connected. An open realm without it was in memory when its host died, or still is.
   */
  frozen_at: number | null
  /**
   * Set with `closed_at` when its log could not be read. The rows are kept, and each start of a host tries again. Its
   * players are told once and may begin new lives. Its seed stays secret: play goes on once the log can be read.
   */
  unreadable_at: number | null
  /** The host that has it in memory, where several share the database; null while it is on disk only. */
  owner: string | null
  /** Fencing token: raised with each new owner, so that writes of an earlier owner are refused. */
  fence: number
}

/** A game host that runs, or ran a moment ago; used only where several share a database. */
export interface HostTable {
  id: string
  /** The base URL at which the other hosts reach it. */
  address: string
  /** When its lease ends, by the database's clock. Unless it is renewed before, others may take over its realms. */
  until: number
}

/** A lock on an account, held by a host while it looks for the account's life or begins one. */
export interface ClaimTable {
  account: string
  host: string
}

/** Who plays which character. */
export interface SeatTable {
  realm: string
  player: number
  /** The player's name in lower case: the key of the account in `ledger.db`. */
  account: string
  name: string
  kind: 'human' | 'agent'
  joined_at: number
  /** Whether the life is over. */
  is_over: number
  /** The deepest level whose reward is known to be paid; the ledger is authoritative. */
  paid_depth: number
  /** Credits that the life has earned. */
  credits: number
  /** When its player was told that the realm's log cannot be read. */
  told_at: number | null
}

/** Commands in their order; authoritative: the state of a realm can always be rebuilt from them. */
export interface InputLogTable {
  realm: string
  /** How many commands of the realm come before this row. */
  first: number
  count: number
  /** JSON array of commands. */
  commands: string
}

/** The newest state of a realm, so that a start replays only the log's tail. */
export interface SnapshotTable {
  realm: string
  /** How many commands of the log it includes. */
  commands: number
  /** Deflated JSON. */
  state: Uint8Array
}

/** A life that is over. */
export interface LifeTable {
  id: string
  realm: string
  player: number
  account: string
  name: string
  kind: 'human' | 'agent'
  mode: Mode
  event: string | null
  cause: string
  depth: number
  turn: number
  gold: number
  kills: number
  score: number
  has_won: number
  frame: string
  credits: number
  at: number
  /** The realm's hash after `commands` commands. */
  hash: string
  commands: number
  /** Since when the record waits for its final `frame` and `credits`; null once both are final. */
  unsettled_since: number | null
}

/** A decision of the operator: `kick` and `mute` until a time, `reserve` for a name that nobody may take. */
export interface RulingTable {
  kind: 'kick' | 'mute' | 'reserve'
  account: string
  until: number
}

/** The secret seed that everybody plays on one UTC day. */
export interface DailyTable {
  day: string
  seed: string
  /** Version of the rules that the day is played under. */
  rules: number
}

/** The tables of `game.db`. */
export interface GameSchema {
  realm: RealmTable
  seat: SeatTable
  input_log: InputLogTable
  snapshot: SnapshotTable
  life: LifeTable
  ruling: RulingTable
  daily: DailyTable
  host: HostTable
  claim: ClaimTable
}
