import { describe, expect, it } from 'vitest'
import { monsterKind } from '../../game-server/core/monsters/kinds.ts'
import { isPassable } from '../../game-server/core/tiles.ts'
import { isAlive, type Level, type World } from '../../game-server/core/world.ts'
import { figure, limitMs } from '../support/figures.ts'
import { playParty } from '../support/play-party.ts'

/** Describes faults of a level: two bodies in one cell, a body in rock, or an occupancy map that disagrees. */
function findMonsterFaults({ depth, monsters, occupants, tiles }: Level): string[] {
  return monsters.flatMap(({ id, kind, cell, hp }) => {
    const { name, gait } = monsterKind(kind)
    const faults = []
    if (occupants[cell] !== id) faults.push(`the map does not know a ${name} on depth ${depth}`)
    if (gait !== 'burrows' && !isPassable(tiles[cell])) faults.push(`a ${name} is in the rock on depth ${depth}`)
    if (hp <= 0) faults.push(`a dead ${name} walks on depth ${depth}`)
    return faults
  })
}

function findPlayerFaults(world: World): string[] {
  return [...world.players.values()].flatMap((player) => {
    const level = world.levels.get(player.depth)
    const { name, cell, pack, statuses, hp } = player
    if (!level || !isAlive(player)) return hp > 0 && !player.hasWon ? [`${name} died in good health`] : []
    const faults = []
    const shown = level.occupants[cell] ?? 0
    if (player.isHere && (shown >= 0 || shown < -player.id)) faults.push(`the map does not know ${name}`)
    if (player.isHere && !isPassable(level.tiles[cell])) faults.push(`${name} is in the rock`)
    if (hp <= 0) faults.push(`${name} lives without health`)
    if (pack.length > 12 || pack.some(({ count }) => count < 1)) faults.push(`${name} carries what cannot be carried`)
    if (statuses.some((turns) => turns < 0 || !Number.isInteger(turns))) faults.push(`${name} has half a status`)
    return faults
  })
}

/** Levels whose occupancy map holds another number of monsters than the level has. */
function findGhosts(world: World): string[] {
  return [...world.levels.values()].flatMap(({ depth, occupants, monsters }) => {
    const bodies = occupants.reduce((sum, who) => sum + (who > 0 ? 1 : 0), 0)
    return bodies === monsters.length ? [] : [`${bodies} bodies for ${monsters.length} monsters on depth ${depth}`]
  })
}

describe('a played world', () => {
  it(
    'stays consistent: one monster to a cell, no body in rock, no dead body that moves',
    () => {
      const faults: string[] = []
      for (let seed = 0; seed < figure(12, 400); seed++) {
        let commands = 0
        playParty({
          seed: `order ${seed}`,
          players: 5,
          commands: 120,
          depth: 1 + (seed % 12),
          around: (world, command, run) => {
            run()
            if (++commands % 8 !== 0) return
            const found = [
              ...[...world.levels.values()].flatMap(findMonsterFaults),
              ...findPlayerFaults(world),
              ...findGhosts(world),
            ]
            for (const fault of found) faults.push(`${world.seed} after ${JSON.stringify(command)}: ${fault}`)
          },
        })
      }
      expect(faults.slice(0, 5)).toEqual([])
    },
    limitMs(600_000, 600_000),
  )
})
