import { distance } from '../../game-server/core/grid.ts'
import { observe } from '../../game-server/core/observe.ts'
import { makeArena } from './arena.ts'

type Arena = ReturnType<typeof makeArena>

/** An arena whose player has enough health to survive most things. */
export function makeSturdyArena(options: Parameters<typeof makeArena>[0] = {}): Arena {
  const arena = makeArena(options)
  arena.player.hp = 9000
  return arena
}

/** The distance of a monster from the first player. */
export const gapTo = ({ player }: Arena, monster: { cell: number }): number => distance(player.cell, monster.cell)

/** The names of creatures that the first player sees. */
export const names = ({ world }: Arena): string[] => observe(world, 1, []).entities.map(({ name }) => name)
