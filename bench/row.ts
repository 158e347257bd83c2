import type { RunningMoney } from '../tests/support/money.ts'

/** What one contender showed in one round: figures by the name of their measure. */
export type Sample = Readonly<Record<string, number>>

export interface Measure {
  readonly name: string
  readonly unit: string
  readonly digits: number
  /** Whether more or less is better, if no goal, limit or unit tells: for `/s` more is better, otherwise less. */
  readonly better?: 'more' | 'less'
  /** A bound for our own figure, independent of peers. */
  readonly limit?: { readonly is: 'at least' | 'at most'; readonly figure: number }
}

/** A bound for the ratio of our figure to a peer's. */
export interface Goal {
  readonly measure: string
  readonly peer: string
  readonly is: 'at least' | 'at most'
  readonly ratio: number
}

/** Why we are behind by one measure, as far as that was investigated. */
export interface Cause {
  readonly measure: string
  /** The peer; all peers when absent. */
  readonly peer?: string
  /** Sentences: what takes the time, what was tried, what we get for it. */
  readonly because: string
  /** A profile, if one was taken. */
  readonly profile?: {
    /** What was run and how it was looked at, with the date. */
    readonly of: string
    /** Percent of its time by what it was spent on. */
    readonly percent: Readonly<Record<string, number>>
  }
}

/** What a row gets from the bench. */
export interface Bench {
  /** Folder of the finished build that our site serves. */
  readonly build: string
  /** The chain and the facilitator, shared by all contenders. */
  readonly money: RunningMoney
  /** Length of a round of load, in seconds. */
  readonly seconds: number
  /** Purchases in a round. */
  readonly purchases: number
  /** Generated posts in rows where the size of a site matters. */
  readonly posts: number
  /** Posts of a site that is built. */
  readonly builtPosts: number
  /** Folder for CPU profiles of our site, if they are wanted. */
  readonly profiles?: string
  /** A fresh folder on a disk. */
  readonly newFolder: () => string
  /** Everything started for the row; it is stopped when the row is over or has failed. */
  readonly started: AsyncDisposableStack
}

/**
 * Contenders that run side by side; each call is one round of one of them. A measure that a peer's samples do not have is
 * not compared with that peer.
 */
export interface Contenders {
  readonly ours: () => Promise<Sample>
  readonly peers: Readonly<Record<string, () => Promise<Sample>>>
  /** Peers that are not available on this machine, and why. */
  readonly missing?: Readonly<Record<string, string>>
}

/**
 * One question about speed, answered by comparing our server with others at the same time on the same machine, or by
 * our figures alone if there is no peer.
 */
export interface Row {
  readonly title: string
  /** What is compared, for readers who do not know the code. */
  readonly meaning: string
  readonly measures: readonly Measure[]
  readonly goals: readonly Goal[]
  /** Said on the page wherever the last run shows us behind. */
  readonly causes?: readonly Cause[]
  /** Most rounds, for rows whose rounds take minutes. */
  readonly mostRounds?: number
  /** Without a warm-up: every round counts. For rows that take hours and start a process for each figure. */
  readonly hasNoWarmUp?: true
  /** Measured only when it is named. For rows that take hours. */
  readonly isOnlyNamed?: true
  readonly start: (bench: Bench) => Promise<Contenders>
}
