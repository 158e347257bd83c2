import type { TokenBucket } from '../../src/http/token-bucket.ts'
import type { Command, GameEvent } from '../core/step.ts'
import type { World } from '../core/world.ts'
import type { Death, Mode } from '../protocol/dungeon.ts'
import type { LifeTable, SeatTable } from '../storage/game-schema.ts'

/** Who a session belongs to. */
export interface SessionOwner {
  /** The key of the account: the name in lower case. */
  readonly key: string
  readonly name: string
  readonly kind: 'human' | 'agent'
}

/** A receiver of a session's view as it changes: the socket that plays it, or its spectators. */
export interface Viewer {
  /** Reports events in sight; the viewer may gather them and show them together. */
  readonly wake: (events: readonly GameEvent[]) => void
  /** Shows the events that were gathered. */
  readonly flush: () => void
}

/** A credit entry, written to the ledger once the commands that earned it are in the log. */
export interface Reward {
  readonly session: Session
  readonly credits: number
  readonly reason: 'depth' | 'daily' | 'cup'
  /** Idempotency key: the same achievement gets the same reference after every recovery, so that it is paid once. */
  readonly ref: string
}

/** One character of one account. */
export interface Session {
  readonly owner: SessionOwner
  readonly realm: Realm
  /** The id of the character in its world. */
  readonly player: number
  /** Messages to the player since the last observation. */
  messages: string[]
  /** Whether a socket shows events as they happen, so that `messages` need not keep them. */
  isPushed: boolean
  readonly viewers: Set<Viewer>
  /** Limits inputs per second, over sockets, HTTP and MCP together. */
  readonly inputs: TokenBucket
  /** How many inputs in a row took no game time. */
  freeInputs: number
  /** How many keys this life has pressed. */
  keys: number
  /** Whether the avatar stands in the dungeon; it is taken out while its player is away. */
  isHere: boolean
  isOver: boolean
  isWatchable: boolean
  /** Badges shown beside the name; the rules of the dungeon do not know them. */
  badges: readonly string[]
  /** `deepest` is the deepest level reached; `paidDepth` the deepest one whose reward is known to be paid. */
  deepest: number
  paidDepth: number
  /** Credits that this life has earned so far. */
  credits: number
  /** When its player last did something. */
  lastAt: number
  /** When its last socket closed: a player who thinks for long counts as present until then. */
  leftAt: number
  /** How long a run may be, where that is limited. */
  limits: RunLimits | undefined
  /** Resolves to the record of the death, once that is written and its rewards are paid or put off. */
  death: Promise<Death> | undefined
  /** The socket that plays it; it is closed when the player uses another socket or another host takes the realm. */
  holder: { replace(): void; restart(): void; send(frame: string): void } | undefined
}

/** A run ends after `keys` keys or at the time `at` (milliseconds since 1970), whichever comes first. */
export interface RunLimits {
  readonly keys: number
  readonly at: number
}

/** Changes of a realm that are not on disk yet; they are written in one transaction. */
export interface Unwritten {
  isNew: boolean
  commands: Command[]
  sessions: SeatTable[]
  /** Accounts whose new seats are written only if this host still holds their claim. */
  claimed: string[]
  lives: LifeTable[]
  rewards: Reward[]
  isClosed: boolean
  /** Whether some of it may be on disk already, because the database did not confirm an earlier write. */
  isDoubted: boolean
}

/** One world and those who play in it. */
export interface Realm {
  readonly id: string
  readonly mode: Mode
  /** The UTC day of a daily dungeon, or the id of a cup. */
  readonly event: string | null
  readonly seed: string
  readonly openedAt: number
  readonly world: World
  readonly sessions: Map<number, Session>
  /** How many commands have been applied to the world. */
  commands: number
  /** How many commands the newest snapshot includes. */
  snapshotCommands: number
  unwritten: Unwritten
  /** How many commands are on disk. */
  written: number
  /** Callbacks to be called once `commands` commands are on disk; the oldest first. */
  waiting: { readonly commands: number; readonly tell: (isKept: boolean) => void }[]
  /** The fencing token under which this host owns it, where several hosts share the database. */
  fence: number
  /** Whether another host has taken it over, so that nothing that happens here is written any more. */
  isLost: boolean
  /** Whether all its characters are dead and all its rewards paid; it stays in memory until that is on disk. */
  isClosed: boolean
  /** Resolves when every reward that was due is paid, or put off for a retry. */
  paying: Promise<void>
  /** References of rewards not yet in the ledger, and of lives whose record is not final; they keep the realm open. */
  readonly owed: Set<string>
  /** Viewers that have something to show at the next flush. */
  readonly awake: Set<Viewer>
}

/** An empty set of changes. */
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
