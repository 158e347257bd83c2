import { cellCount, offsets } from '../grid.ts'
import { itemName } from '../items/item-name.ts'
import { itemKind } from '../items/kinds.ts'
import { knownOn, markKnown, reveal } from '../known-cells.ts'
import { chooseKind } from '../monsters/choose-kind.ts'
import { isVisible } from '../monsters/is-visible.ts'
import { monsterKind } from '../monsters/kinds.ts'
import { spawn } from '../monsters/spawn.ts'
import { engage, freeCellAnywhere, freeCellNear, movePlayer } from '../place.ts'
import { type Scene, tell } from '../scene.ts'
import { sightOf } from '../sight.ts'
import { T } from '../tiles.ts'
import { raiseAlarm } from '../traps/spring-trap.ts'
import type { Carried, Monster } from '../world.ts'
import { cure } from './potions.ts'

/** The monsters in sight that are not of stone. */
function monstersInView({ level, player }: Scene): Monster[] {
  const sight = sightOf(level, player)
  return level.monsters.filter(
    (monster) =>
      sight.lit[monster.cell] === 1 && isVisible(monster, player, sight) && monsterKind(monster.kind).isStone !== true,
  )
}

export function improve(scene: Scene, item: Carried): void {
  item.power += 1
  tell(scene, 'use', `Your gear gleams: ${itemName(scene.world, scene.player, item)}.`)
}

export function identifyPack({ player }: Scene): void {
  for (const { kind } of player.pack) player.identified[kind] = 1
}

function drawMap(scene: Scene): void {
  const { level, player } = scene
  const known = knownOn(player, level.depth)
  for (let cell = 0; cell < cellCount; cell++) {
    const tile = level.tiles[cell]
    if (tile === T.wall || tile === T.crystal) continue
    markKnown(known, cell)
    for (const offset of offsets) markKnown(known, cell + offset)
  }
  tell(scene, 'use', 'A map of the level draws itself on the inside of your eyes.')
}

/** Takes the acting player somewhere else on the level. */
function goElsewhere(scene: Scene): void {
  movePlayer(scene, freeCellAnywhere(scene))
  reveal(scene.level, scene.player)
  tell(scene, 'use', 'You are elsewhere.')
}

export function frighten(scene: Scene): void {
  const inView = monstersInView(scene)
  for (const monster of inView) {
    engage(monster, scene.player)
    monster.scared = Math.max(monster.scared, 15)
  }
  tell(
    scene,
    'use',
    inView.length > 0 ? 'They see something behind you and run.' : 'Something, somewhere, is briefly uneasy.',
  )
}

function slumber(scene: Scene): void {
  const { player } = scene
  for (const monster of monstersInView(scene)) {
    monster.stunned = 12
    engage(monster, player)
  }
  tell(scene, 'use', 'A lullaby. Nobody in sight hears the end of it.')
}

function company(scene: Scene): void {
  const { world, level, player } = scene
  for (let i = 0; i < 2; i++) {
    const cell = freeCellNear(level, player.cell)
    const monster = spawn(world, level, chooseKind(player.dice, world.rules, 'ambient', level.depth), cell, 'hunting')
    monster.isHidden = false
    engage(monster, player)
  }
  tell(scene, 'use', 'You asked for company. It has come.')
}

function refill(scene: Scene): void {
  for (const item of scene.player.pack) {
    const { group } = itemKind(item.kind)
    if (group === 'wand') item.power += 2
    if (group === 'charm') item.power = 0
  }
  tell(scene, 'use', 'Your pack hums.')
}

const worseOf = ({ player }: Scene): Carried =>
  player.armour.power < player.weapon.power ? player.armour : player.weapon

/** The effect of each scroll for the player who reads it. */
export const scrolls: Record<string, (scene: Scene) => void> = {
  enchanting: (scene) => improve(scene, worseOf(scene)),
  insight: (scene) => {
    identifyPack(scene)
    tell(scene, 'use', 'You read your own luggage like a book.')
  },
  elsewhere: goElsewhere,
  mapping: drawMap,
  slumber,
  dread: frighten,
  company,
  uproar: (scene) => {
    raiseAlarm(scene, 40)
    tell(scene, 'use', 'The scroll screams. Everybody is up now.')
  },
  cleansing: (scene) => {
    cure(scene.player)
    tell(scene, 'use', 'You feel rinsed.')
  },
  edge: (scene) => improve(scene, scene.player.weapon),
  mail: (scene) => improve(scene, scene.player.armour),
  refilling: refill,
}
