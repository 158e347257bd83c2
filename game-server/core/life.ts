import { getPlayer, isAlive, type Player, type World } from './world.ts'

/** What a life comes to so far, or came to. */
export interface Life {
  name: string
  kind: 'human' | 'agent'
  cause: string
  isOver: boolean
  hasWon: boolean
  /** The deepest it got. */
  depth: number
  turn: number
  gold: number
  kills: number
  score: number
}

/** Depth, gold, and the way out. Kills are vanity and time is nobody's business. */
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
