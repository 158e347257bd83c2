import type { RunningMoney } from '../tests/support/money.ts'

/** What one contender showed in one round: figures by the name of their measure. */
export type Sample = Readonly<Record<string, number>>

export interface Measure {
  readonly name: string
  readonly unit: string
  readonly digits: number
}

/** A ratio of medians that we hold ourselves to, ours to theirs. */
export interface Goal {
  readonly measure: string
  readonly peer: string
  readonly is: 'at least' | 'at most'
  readonly ratio: number
}

/** What every row shares. */
export interface Bench {
  /** Folder of the finished build that our site serves. */
  readonly build: string
  readonly money: RunningMoney
  /** Of one round, for rows that put load on a server. */
  readonly seconds: number
  /** Of one round, for rows that buy one thing after the other. */
  readonly purchases: number
  /** A fresh folder on a disk. */
  readonly newFolder: () => string
}

/** Contenders that run side by side; each call is one round of one of them. */
export interface OpenRow {
  readonly ours: () => Promise<Sample>
  readonly peers: Readonly<Record<string, () => Promise<Sample>>>
  readonly close: () => Promise<void>
}

/** One question about speed, answered by comparing our server with others in the same minutes on the same machine. */
export interface Row {
  readonly title: string
  /** What is compared, for people who did not read the code. */
  readonly meaning: string
  readonly measures: readonly Measure[]
  readonly goals: readonly Goal[]
  readonly open: (bench: Bench) => Promise<OpenRow>
}
