import { findObjection } from './actions/commune.ts'
import { isWanted, isWorthALook } from './actions/goals.ts'
import { hasAilment } from './actions/macros.ts'
import { slotKeys } from './actions/pick-up.ts'
import { canSwap } from './actions/swap-item.ts'
import { findObstacle, leastWorth } from './actions/use-slot.ts'
import { altarKinds } from './altar-kinds.ts'
import { findReach } from './find-path.ts'
import { findTarget, findThreat } from './find-threat.ts'
import { deepest, getLevel } from './get-level.ts'
import { directions, offsetOf } from './grid.ts'
import { isIdentified, itemName } from './items/item-name.ts'
import { itemKind } from './items/kinds.ts'
import { isKnown, knownOn } from './known-cells.ts'
import type { TrapKind } from './levels/level-plan.ts'
import { isVisible, monsterAt } from './monsters/is-visible.ts'
import { monsterKind } from './monsters/kinds.ts'
import type { Scene } from './scene.ts'
import { sightOf } from './sight.ts'
import { turnsOf } from './status.ts'
import { isPassable, T } from './tiles.ts'
import { trapName } from './traps/spring-trap.ts'
import { getPlayer, isAlive, type World } from './world.ts'

export interface LegalKey {
  key: string
  does: string
}

/** Every key that has an effect now, and its effect. A player who is away comes back with any of them. */
export function legalKeys(world: World, id: number): LegalKey[] {
  const player = getPlayer(world, id)
  if (!isAlive(player)) return []
  const scene: Scene = { world, player, level: getLevel(world, player.depth), events: [] }
  return [
    ...steps(scene),
    ...macros(scene),
    ...deeds(scene),
    ...slots(scene),
    { key: 'look', does: 'look again (free)' },
  ]
}

function steps(scene: Scene): LegalKey[] {
  return directions.flatMap((key, direction) => {
    const does = describeStep(scene, direction)
    return does === undefined ? [] : [{ key, does }]
  })
}

function describeStep({ player, level }: Scene, direction: number): string | undefined {
  if (turnsOf(player, 'stuck') > 0) return 'struggle free'
  const cell = player.cell + offsetOf(direction)
  const monster = monsterAt(level, cell)
  if (monster && isVisible(monster, player, sightOf(level, player))) return `attack ${monsterKind(monster.kind).name}`
  const tile = level.tiles[cell]
  if (!isPassable(tile)) return undefined
  return describeGround(tile, turnsOf(player, 'floating') > 0, level.traps.get(cell) ?? 'dart')
}

function describeGround(tile: number | undefined, isFloating: boolean, trap: TrapKind): string {
  if (isFloating) return 'float'
  if (tile === T.chasm) return 'jump into the chasm, one level down'
  if (tile === T.deepWater) return 'swim (2 turns)'
  return tile === T.knownTrap ? `step on ${trapName(trap)}` : 'move'
}

function macros({ player, level }: Scene): LegalKey[] {
  const known = knownOn(player, level.depth)
  const isWatched = findThreat(level, player) !== undefined
  const reach = findReach(level, player)
  const keys: LegalKey[] = []
  if (!isWatched) {
    if (reach.some(isWorthALook(level, player))) keys.push({ key: 'o', does: 'explore' })
    if (reach.some(isWanted(level, player))) keys.push({ key: 'g', does: 'fetch the nearest item' })
    if (player.hp < player.maxHp || hasAilment(player)) keys.push({ key: 'R', does: 'rest' })
    keys.push({ key: 'S', does: 'search (5 turns)' })
  }
  keys.push({ key: '.', does: 'wait' })
  const pace = isWatched ? 'one step towards' : 'travel to'
  const stairs = [
    { key: '>', cell: level.down, here: 'descend', there: 'stairs down', isOpen: level.depth < deepest },
    {
      key: '<',
      cell: level.up,
      here: level.depth > 1 ? 'climb' : 'leave with the Amulet',
      there: 'stairs up',
      isOpen: level.depth > 1 || player.hasAmulet,
    },
  ]
  for (const { key, cell, here, there, isOpen } of stairs) {
    if (player.cell === cell) {
      if (isOpen) keys.push({ key, does: here })
    } else if (cell > 0 && isKnown(known, cell) && reach.includes(cell))
      keys.push({ key, does: `${pace} the ${there}` })
  }
  return keys
}

function deeds(scene: Scene): LegalKey[] {
  const { world, player, level } = scene
  const keys: LegalKey[] = []
  const target = findTarget(level, player)
  if (target) keys.push({ key: 'f', does: `shoot at ${monsterKind(target.kind).name}` })
  const altar = level.altars.get(player.cell)
  const bargain = altarKinds[altar?.kind ?? -1]
  if (bargain && findObjection(scene) === undefined) keys.push({ key: 'c', does: `commune: ${bargain.does}` })
  const worst = player.pack[leastWorth(player)]
  if (worst && canSwap(scene))
    keys.push({ key: 'x', does: `throw away ${itemName(world, player, worst)} and take what lies here` })
  return keys
}

const verbs = {
  potion: 'drink',
  scroll: 'read',
  wand: 'zap',
  weapon: 'wield',
  armour: 'wear',
  charm: 'use',
  gold: 'use',
  amulet: 'use',
} as const

function slots(scene: Scene): LegalKey[] {
  const { world, player } = scene
  return player.pack.flatMap((item, slot) => {
    const key = slotKeys[slot]
    if (key === undefined || findObstacle(scene, item) !== undefined) return []
    const { group, does } = itemKind(item.kind)
    const hint = isIdentified(player, item.kind) ? ` (${does})` : ''
    return [{ key, does: `${verbs[group]} ${itemName(world, player, { ...item, count: 1 })}${hint}` }]
  })
}
