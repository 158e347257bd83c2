import type { RunningMoney } from '../tests/support/money.ts'

/** What one contender showed in one round: figures by the name of their measure. */
export type Sample = Readonly<Record<string, number>>

export interface Measure {
  readonly name: string
  readonly unit: string
  readonly digits: number
  /** Which way is ahead, where neither a goal, a limit nor the unit tells: `/s` is better when it is more, all else less. */
  readonly better?: 'more' | 'less'
  /** What our own figure is held to, where that is more than a comparison. */
  readonly limit?: { readonly is: 'at least' | 'at most'; readonly figure: number }
}

/** A ratio that we hold ourselves to, ours to theirs. */
export interface Goal {
  readonly measure: string
  readonly peer: string
  readonly is: 'at least' | 'at most'
  readonly ratio: number
}

/** Why we are behind in one measure, as far as it was looked into. */
export interface Cause {
  readonly measure: string
  /** All peers when absent. */
  readonly peer?: string
  /** Sentences: what takes the time, what was tried, what we get for it. */
  readonly because: string
  /** Where a profile was taken. */
  readonly profile?: {
    /** What was run and how it was looked at, with the date. */
    readonly of: string
    /** Percent of its time by what it was spent on. */
    readonly percent: Readonly<Record<string, number>>
  }
}

/** What a row is given. */
export interface Bench {
  /** Folder of the finished build that our site serves. */
  readonly build: string
  /** One chain and one facilitator for all contenders. */
  readonly money: RunningMoney
  /** How long a round lasts that puts load on a server. */
  readonly seconds: number
  /** How many there are in a round of purchases. */
  readonly purchases: number
  /** How many are generated where the size of a site matters. */
  readonly posts: number
  /** How many a site has that is built. */
  readonly builtPosts: number
  /** Where our site leaves profiles of its processor time, when they are wanted. */
  readonly profiles?: string
  /** A fresh folder on a disk. */
  readonly newFolder: () => string
  /** Whatever is started for the row is put here, and stopped when the row is over or has failed. */
  readonly started: AsyncDisposableStack
}

/**
 * Contenders that run side by side; each call is one round of one of them. A measure that a peer's samples do not have is
 * not compared with that peer.
 */
export interface Contenders {
  readonly ours: () => Promise<Sample>
  readonly peers: Readonly<Record<string, () => Promise<Sample>>>
  /** Peers that could not be had on this machine, and why. */
  readonly missing?: Readonly<Record<string, string>>
}

/**
 * One question about speed, answered by comparing our server with others in the same minutes on the same machine; or,
 * where nothing does the same, by our figures alone.
 */
export interface Row {
  readonly title: string
  /** What is compared, for people who did not read the code. */
  readonly meaning: string
  readonly measures: readonly Measure[]
  readonly goals: readonly Goal[]
  /** Said on the page wherever the last run shows us behind. */
  readonly causes?: readonly Cause[]
  /** For rows whose rounds take minutes. */
  readonly mostRounds?: number
  /** For rows that take hours and start a process for each figure: every round counts, the first as well. */
  readonly hasNoWarmUp?: true
  /** For rows that take hours: they are measured when they are named. */
  readonly isOnlyNamed?: true
  readonly start: (bench: Bench) => Promise<Contenders>
}
