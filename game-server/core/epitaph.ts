import { grouped } from './grouped.ts'

/** The facts of a finished life that its epitaph tells. */
export interface Deeds {
  readonly cause: string
  readonly depth: number
  readonly turn: number
  readonly gold: number
  readonly kills: number
  readonly hasWon: boolean
}

/** A number with its noun, in the plural unless it is 1. */
export const count = (number: number, one: string): string => `${grouped(number)} ${number === 1 ? one : `${one}s`}`

/** The three lines below the name: the cause, depth and turns, kills and gold. */
export const epitaph = ({ cause, depth, turn, gold, kills, hasWon }: Deeds): readonly [string, string, string] => [
  cause,
  `${hasWon ? 'out again' : `on depth ${depth},`} after ${count(turn, 'turn')}`,
  `${count(kills, 'kill')}, ${grouped(gold)} gold`,
]
