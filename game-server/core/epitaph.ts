import { grouped } from './grouped.ts'

/** What is told of a life that is over. */
export interface Deeds {
  readonly cause: string
  readonly depth: number
  readonly turn: number
  readonly gold: number
  readonly kills: number
  readonly hasWon: boolean
}

/** A number of things, as one reads it. */
export const count = (number: number, one: string): string => `${grouped(number)} ${number === 1 ? one : `${one}s`}`

/** The lines below the name: what ended the life, where and when, and what was done in it. */
export const epitaph = ({ cause, depth, turn, gold, kills, hasWon }: Deeds): readonly [string, string, string] => [
  cause,
  `${hasWon ? 'out again' : `on depth ${depth},`} after ${count(turn, 'turn')}`,
  `${count(kills, 'kill')}, ${grouped(gold)} gold`,
]
