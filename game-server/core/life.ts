import { getPlayer, isAlive, type Player, type World } from './world.ts'

/** The facts of a life, finished or not. */
export interface Life {
  name: string
  kind: 'human' | 'agent'
  cause: string
  isOver: boolean
  hasWon: boolean
  /** The deepest level that it reached. */
  depth: number
  turn: number
  gold: number
  kills: number
  score: number
}

/** The score: depth, gold, and 50,000 for an escape with the Amulet. Kills and turns do not count. */
export const scoreOf = ({ deepest, gold, hasWon }: Player): number => 1000 * deepest + 2 * gold + (hasWon ? 50_000 : 0)

export function summarizeLife(world: World, id: number): Life {
  const player = getPlayer(world, id)
  const { name, kind, ending, hasWon, deepest, turn, gold, kills } = player
  return {
    name,
    kind,
    cause: ending,
    isOver: !isAlive(player),
    hasWon,
    depth: deepest,
    turn,
    gold,
    kills,
    score: scoreOf(player),
  }
}
