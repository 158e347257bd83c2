import { changeTile } from './change-tile.ts'
import { distance, offsets } from './grid.ts'
import { chance } from './prng.ts'
import { type Scene, tell } from './scene.ts'
import { sightOf } from './sight.ts'
import { T } from './tiles.ts'
import { trapName } from './traps/spring-trap.ts'

/** Reveals a secret door or hidden trap on a cell to all players; returns whether there was one. */
export function uncover(scene: Scene, cell: number): boolean {
  const { level } = scene
  const tile = level.tiles[cell]
  if (tile === T.secretDoor) {
    changeTile(level, cell, T.door)
    tell(scene, 'find', 'Part of the wall is a door.')
    return true
  }
  if (tile === T.hiddenTrap) {
    changeTile(level, cell, T.knownTrap)
    tell(scene, 'find', `You find ${trapName(level.traps.get(cell) ?? 'dart')}.`)
    return true
  }
  return false
}

const hides = (tile: number | undefined): boolean => tile === T.secretDoor || tile === T.hiddenTrap

/** Searches the eight cells around the player, each with this chance in percent. */
export function searchBeside(scene: Scene, percent: number): void {
  const { level, player } = scene
  for (const offset of offsets) {
    const cell = player.cell + offset
    if (hides(level.tiles[cell]) && chance(player.dice, percent)) uncover(scene, cell)
  }
}

/** Searches all cells in sight, adjacent ones with a higher chance; returns whether anything was found. */
export function searchAround(scene: Scene): boolean {
  const { level, player } = scene
  const { cells, count } = sightOf(level, player)
  const hidden = Array.from(cells.subarray(0, count)).filter((cell) => hides(level.tiles[cell]))
  const found = hidden.filter(
    (cell) => chance(player.dice, distance(cell, player.cell) <= 1 ? 60 : 15) && uncover(scene, cell),
  )
  return found.length > 0
}
