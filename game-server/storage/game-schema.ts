import type { Mode } from '../protocol/dungeon.ts'

/** One world. Times are integer milliseconds. */
export interface RealmTable {
  id: string
  mode: Mode
  /** The UTC day of a daily dungeon, or the id of a cup. */
  event: string | null
  /** Secret until the realm is over. */
  seed: string
  /** Version of the rules its log was made under. */
  rules: number
  opened_at: number
  /** Set when nobody in it lives. */
  closed_at: number | null
  /**
   * Set while it rests on disk with everything paid: when somebody last did something in it, or was there. A realm without it was in
   * memory when the host died.
   */
  frozen_at: number | null
  /**
   * Set with `closed_at` when its log could not be read. It is kept as it is, and tried again at each start of a host. Its
   * players are told once, and may live anew. Its seed stays secret: they live on in it once it can be read.
   */
  unreadable_at: number | null
  /** The host that plays it, where there may be several; null while it rests. */
  owner: string | null
  /** Counts its owners, so that none writes for the next one. */
  fence: number
}

/** A game host that runs, or ran a moment ago; of use where several share a database. */
export interface HostTable {
  id: string
  /** Where the other hosts reach it. */
  address: string
  /** By the database's clock. Unless it is renewed before, others may take what the host has. */
  until: number
}

/** An account for which a host is just looking for a life, or beginning one. */
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
  /** The deepest level that is known to be paid; the ledger is the truth of it. */
  paid_depth: number
  /** What the life has earned. */
  credits: number
  /** When its player was told that the log of it cannot be read. */
  told_at: number | null
}

/** Commands in their order; the truth from which everything else can be made again. */
export interface InputLogTable {
  realm: string
  /** How many commands of the realm came before. */
  first: number
  count: number
  /** JSON array of commands. */
  commands: string
}

/** The newest state of a realm, so that a start replays only the log's tail. */
export interface SnapshotTable {
  realm: string
  /** How many commands it is made of. */
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
  /** Set as long as `frame` and `credits` may change. */
  unsettled_since: number | null
}

/** What the operator decided: `kick` and `mute` until a time, `reserve` for a name nobody may take. */
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
