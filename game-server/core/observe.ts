import { isFor } from './actions/pick-up.ts'
import { getLevel } from './get-level.ts'
import { compass, distance, height, width, xOf, yOf } from './grid.ts'
import { itemName } from './items/item-name.ts'
import { itemGlyph } from './items/kinds.ts'
import { isKnown, knownOn } from './known-cells.ts'
import { type LegalKey, legalKeys } from './legal-keys.ts'
import { scoreOf } from './life.ts'
import { baitOf, isDisguised, isVisible } from './monsters/is-visible.ts'
import { monsterKind } from './monsters/kinds.ts'
import { isEngaged } from './place.ts'
import { quoteWords } from './player-words.ts'
import { radiusOf, sightOf } from './sight.ts'
import { statusNames } from './status.ts'
import { glyphOf } from './tiles.ts'
import { type Carried, getPlayer, isAlive, type Level, type Monster, type Player, type World } from './world.ts'

export interface SeenEntity {
  /** Players have negative ids. */
  id: number
  g: string
  /** The name; that of a player within the marks of `quoteWords`. */
  name: string
  x: number
  y: number
  /** Its health in percent. */
  hp: number
  dist: number
  dir: string
  /** Its state: asleep, idle, hunting you, fighting, fleeing, helpless or watching; of players, human or agent. */
  st: string
}

export interface SeenItem {
  g: string
  name: string
  x: number
  y: number
  dir: string
  /** Whether it is one of several items of which you may take one. */
  isChoice?: boolean
}

/** What a player knows and sees, as data. It never tells more than the map on the screen. */
export interface Observation {
  turn: number
  depth: number
  you: {
    name: string
    x: number
    y: number
    hp: number
    maxHp: number
    strength: number
    gold: number
    score: number
    alive: boolean
    hasAmulet: boolean
    /** How the life ended; empty while it lasts. */
    ending: string
    weapon: string
    armor: string
    pack: string[]
    statuses: { name: string; turns: number }[]
  }
  /** The map of what you see now, from (`x`, `y`); cells out of sight are spaces. */
  view: { x: number; y: number; rows: string[] }
  entities: SeenEntity[]
  items: SeenItem[]
  messages: string[]
  keys: LegalKey[]
}

/** The state of a monster as a player sees it. */
export function moodOf(monster: Monster, player: Player): string {
  if (monsterKind(monster.kind).isStone) return 'watching'
  if (monster.mood === 'asleep') return 'asleep'
  if (monster.stunned > 0) return 'helpless'
  if (monster.scared > 0) return 'fleeing'
  if (isEngaged(monster, player)) return 'hunting you'
  return monster.mood === 'hunting' ? 'fighting' : 'idle'
}

/** The monsters and players that a player sees, the nearest first. */
function seeEntities(world: World, level: Level, player: Player): SeenEntity[] {
  const sight = sightOf(level, player)
  const seen: SeenEntity[] = []
  const add = (cell: number, rest: Pick<SeenEntity, 'id' | 'g' | 'name' | 'hp' | 'st'>) =>
    seen.push({
      ...rest,
      x: xOf(cell),
      y: yOf(cell),
      dist: distance(player.cell, cell),
      dir: compass(player.cell, cell),
    })
  for (const monster of level.monsters) {
    if (!isVisible(monster, player, sight)) continue
    const { glyph, name, hp } = monsterKind(monster.kind)
    add(monster.cell, {
      id: monster.id,
      g: glyph,
      name,
      hp: Math.ceil((monster.hp * 100) / hp),
      st: moodOf(monster, player),
    })
  }
  for (const other of world.players.values()) {
    if (other === player || !other.isHere || !isAlive(other) || other.depth !== level.depth) continue
    if (sight.lit[other.cell] !== 1) continue
    add(other.cell, {
      id: -other.id,
      g: '@',
      name: quoteWords(other.name),
      hp: Math.ceil((other.hp * 100) / other.maxHp),
      st: other.kind,
    })
  }
  return seen.sort((a, b) => a.dist - b.dist || a.id - b.id)
}

/**
 * The items on known cells that a player has not taken yet. Monsters disguised as items are included, and all are
 * sorted by cell, so that the order does not give them away.
 */
export function seePiles(level: Level, player: Player): { cell: number; item: Carried; vault: number }[] {
  const known = knownOn(player, level.depth)
  const seen = []
  for (const [cell, pile] of level.piles)
    if (isFor(pile, player) && isKnown(known, cell)) seen.push({ cell, item: pile, vault: pile.vault })
  for (const monster of level.monsters)
    if (isDisguised(monster, known)) seen.push({ cell: monster.cell, item: baitOf(monster), vault: 0 })
  return seen.sort((a, b) => a.cell - b.cell)
}

function litRows(level: Level, player: Player): Observation['view'] {
  const { lit } = sightOf(level, player)
  const radius = radiusOf(player)
  const x0 = Math.max(0, xOf(player.cell) - radius)
  const y0 = Math.max(0, yOf(player.cell) - radius)
  const rows: string[] = []
  for (let y = y0; y <= Math.min(height - 1, yOf(player.cell) + radius); y++) {
    let row = ''
    for (let x = x0; x <= Math.min(width - 1, xOf(player.cell) + radius); x++) {
      const cell = y * width + x
      row += cell === player.cell ? '@' : lit[cell] === 1 ? glyphOf(level.tiles[cell]) : ' '
    }
    rows.push(row)
  }
  return { x: x0, y: y0, rows }
}

/** Statuses that still last, with their turns. */
export const seeStatuses = (player: Player): { name: string; turns: number }[] =>
  statusNames.flatMap((name, index) => {
    const turns = player.statuses[index] ?? 0
    return turns > 0 ? [{ name, turns }] : []
  })

/** Everything that a player knows and sees now. */
export function observe(world: World, id: number, messages: readonly string[]): Observation {
  const player = getPlayer(world, id)
  const level = getLevel(world, player.depth)
  return {
    turn: player.turn,
    depth: player.depth,
    you: {
      name: player.name,
      x: xOf(player.cell),
      y: yOf(player.cell),
      hp: player.hp,
      maxHp: player.maxHp,
      strength: player.strength,
      gold: player.gold,
      score: scoreOf(player),
      alive: isAlive(player),
      hasAmulet: player.hasAmulet,
      ending: player.ending,
      weapon: itemName(world, player, player.weapon),
      armor: itemName(world, player, player.armour),
      pack: player.pack.map((item) => itemName(world, player, item)),
      statuses: seeStatuses(player),
    },
    view: litRows(level, player),
    entities: seeEntities(world, level, player),
    items: seePiles(level, player).map(({ cell, item, vault }) => ({
      g: itemGlyph(item.kind),
      name: itemName(world, player, item),
      x: xOf(cell),
      y: yOf(cell),
      dir: compass(player.cell, cell),
      ...(vault > 0 && { isChoice: true }),
    })),
    messages: [...messages],
    keys: legalKeys(world, id),
  }
}
