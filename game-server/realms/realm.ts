import type { TokenBucket } from '../../src/http/token-bucket.ts'
import type { Command, GameEvent } from '../core/step.ts'
import type { World } from '../core/world.ts'
import type { Death, Mode } from '../protocol/dungeon.ts'
import type { LifeTable, SeatTable } from '../storage/game-schema.ts'

/** Who a session belongs to. */
export interface SessionOwner {
  /** The name in lower case. */
  readonly key: string
  readonly name: string
  readonly kind: 'human' | 'agent'
}

/** Somebody who is shown a session's dungeon as it changes: the socket that plays it, or those who watch it. */
export interface Viewer {
  /** Something happened in sight; what is shown of it may be gathered for a moment. */
  readonly wake: (events: readonly GameEvent[]) => void
  /** Shows what was gathered. */
  readonly flush: () => void
}

/** A credit entry that may be written once the log holds what earned it. */
export interface Reward {
  readonly session: Session
  readonly credits: number
  readonly reason: 'depth' | 'daily' | 'cup'
  /** Natural: the same deed has the same reference after every recovery, and is paid once. */
  readonly ref: string
}

/** One character of one account. */
export interface Session {
  readonly owner: SessionOwner
  readonly realm: Realm
  /** The id of the character in its world. */
  readonly player: number
  /** Said to the player since the last observation. */
  messages: string[]
  /** Whether a socket shows what happens as it happens, so that nothing need be remembered. */
  isPushed: boolean
  readonly viewers: Set<Viewer>
  /** Inputs per second, over whatever way they come. */
  readonly inputs: TokenBucket
  /** How many inputs in a row took no time. */
  freeInputs: number
  /** How many keys this life has pressed. */
  keys: number
  /** Whether the avatar stands in the dungeon; it fades when its player is away. */
  isHere: boolean
  isOver: boolean
  isWatchable: boolean
  /** What is shown beside the name; the dungeon itself never knows. */
  badges: readonly string[]
  /** The deepest level that was reached, and the deepest that is known to be paid. */
  deepest: number
  paidDepth: number
  /** What this life earned so far. */
  credits: number
  /** When its player last did something. */
  lastAt: number
  /** When the socket that it was played over last ended: who thinks for long is there until then. */
  leftAt: number
  /** How long a run may be, where that is limited. */
  limits: RunLimits | undefined
  /** How it ended, once that is written and paid. */
  death: Promise<Death> | undefined
  /** Gives way when the player comes back over another socket, or when another host plays the realm. */
  holder: { replace(): void; restart(): void; send(frame: string): void } | undefined
}

/** A run ends after so many keys or at a time, whichever comes first. */
export interface RunLimits {
  readonly keys: number
  readonly at: number
}

/** What has happened and is not on disk yet; all of it is written in one transaction. */
export interface Unwritten {
  isNew: boolean
  commands: Command[]
  sessions: SeatTable[]
  /** Accounts whose new seats are only written while this host has the claim to them. */
  claimed: string[]
  lives: LifeTable[]
  rewards: Reward[]
  isClosed: boolean
  /** Some of it may be on disk: whoever was to write it did not answer. */
  isDoubted: boolean
}

/** One world and those who play in it. */
export interface Realm {
  readonly id: string
  readonly mode: Mode
  /** The day of a daily dungeon, or the cup. */
  readonly event: string | null
  readonly seed: string
  readonly openedAt: number
  readonly world: World
  readonly sessions: Map<number, Session>
  /** How many commands made this world. */
  commands: number
  /** How many commands the newest snapshot is made of. */
  snapshotCommands: number
  unwritten: Unwritten
  /** How many commands are on disk. */
  written: number
  /** Whoever is told nothing before the command is on disk that it hangs on; the oldest first. */
  waiting: { readonly commands: number; readonly tell: (isKept: boolean) => void }[]
  /** Which of its owners this host is, where there may be several. */
  fence: number
  /** Another host has it: nothing that happens here counts any more. */
  isLost: boolean
  /** Nobody lives in it and nothing is owed of it; it stays in memory until that is on disk. */
  isClosed: boolean
  /** Ends when every reward that was due is paid, or put off. */
  paying: Promise<void>
  /** References of rewards that the ledger could not write down yet; a realm is kept open for them. */
  readonly owed: Set<string>
  /** Whom the next flush shows something. */
  readonly awake: Set<Viewer>
}

/** Nothing to write. */
export const makeUnwritten = (isNew: boolean): Unwritten => ({
  isNew,
  commands: [],
  sessions: [],
  claimed: [],
  lives: [],
  rewards: [],
  isClosed: false,
  isDoubted: false,
})
