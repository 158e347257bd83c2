import { slotKeys } from './actions/pick-up.ts'
import { getLevel } from './get-level.ts'
import { cellCount, width } from './grid.ts'
import { itemName } from './items/item-name.ts'
import { itemGlyph } from './items/kinds.ts'
import { knownOn } from './known-cells.ts'
import { scoreOf } from './life.ts'
import { isVisible } from './monsters/is-visible.ts'
import { monsterKind } from './monsters/kinds.ts'
import { moodOf, seePiles, seeStatuses } from './observe.ts'
import { type GameEvent, toText } from './scene.ts'
import { radiusOf, sightOf } from './sight.ts'
import { glyphOf } from './tiles.ts'
import { getPlayer, isAlive, type Level, type Player, type World } from './world.ts'

/** What has been sent to one viewer of one player. */
export interface View {
  seq: number
  depth: number
  /** The cells whose tiles were sent, as a bit set. */
  sent: Uint32Array
  /** How many entries of the level's `changes` have been processed. */
  changes: number
  /** The parts that are always sent whole, as last sent, in the order of `partNames`. */
  parts: string[]
}

/** Fields of the message: the player, creatures (three fields), items on the ground (two), gear, pack and statuses. */
const partNames = ['me', 'e', 'n', 'b', 'i', 'l', 'w', 'p', 's'] as const
const noParts: readonly string[] = partNames.map(() => '')

/** The view of a viewer to whom nothing was sent yet. */
export const newView = (): View => ({
  seq: 0,
  depth: 0,
  sent: new Uint32Array(cellCount / 32),
  changes: 0,
  parts: [...noParts],
})

/** Runs of tiles that are known but were not sent: `1373,"###",1452,"..+"`. */
function encodeTiles(level: Level, known: Uint32Array, view: View): string {
  for (; view.changes < level.changes.length; view.changes++) {
    const cell = level.changes[view.changes] ?? 0
    view.sent[cell >> 5] = (view.sent[cell >> 5] ?? 0) & ~(1 << (cell & 31))
  }
  const runs: string[] = []
  let start = -1
  let run = ''
  const close = () => {
    if (start >= 0) runs.push(`${start},${JSON.stringify(run)}`)
    start = -1
    run = ''
  }
  const { sent } = view
  for (let word = 0; word < cellCount / 32; word++) {
    const now = known[word] ?? 0
    const before = sent[word] ?? 0
    if (now === before) continue
    sent[word] = now
    let fresh = now & ~before
    while (fresh !== 0) {
      const bit = 31 - Math.clz32(fresh & -fresh)
      fresh &= fresh - 1
      const cell = word * 32 + bit
      if (start < 0 || cell !== start + run.length || cell % width === 0) {
        close()
        start = cell
      }
      run += glyphOf(level.tiles[cell])
    }
  }
  close()
  return runs.join(',')
}

/** The glyphs of the pack; none needs an escape in JSON. */
function packGlyphs({ pack }: Player): string {
  let glyphs = ''
  for (const { kind } of pack) glyphs += itemGlyph(kind)
  return glyphs
}

/** Cell, health, maximum, strength, gold, turn, score, 0 alive 1 dead 2 won, the pack's glyphs, and sight radius. */
function encodeMe(player: Player): string {
  const { cell, hp, maxHp, strength, gold, turn } = player
  const state = isAlive(player) ? 0 : player.hasWon ? 2 : 1
  return `${cell},${hp},${maxHp},${strength},${gold},${turn},${scoreOf(player)},${state},"${packGlyphs(player)}",${radiusOf(player)}`
}

const moods = { asleep: 0, idle: 1, hunting: 2 } as const

/** Moods that the state number in `e` already tells, so that they are not sent as words. */
const plainMoods: readonly string[] = ['asleep', 'idle', 'hunting you']

interface Entities {
  /** Five values each: id, glyph, cell, health 0 to 9, and state: 0 asleep, 1 idle, 2 hunting, 3 human, 4 agent. */
  readonly entities: string
  /** Players: id and name. */
  readonly names: string
  /** Monsters whose mood the state does not tell: id and mood. */
  readonly doings: string
}

function encodeEntities(world: World, level: Level, player: Player): Entities {
  const sight = sightOf(level, player)
  const entities: string[] = []
  const names: string[] = []
  const doings: string[] = []
  for (const monster of level.monsters) {
    if (!isVisible(monster, player, sight)) continue
    const { glyph, hp } = monsterKind(monster.kind)
    entities.push(`${monster.id},"${glyph}",${monster.cell},${Math.ceil((monster.hp * 9) / hp)},${moods[monster.mood]}`)
    const mood = moodOf(monster, player)
    if (!plainMoods.includes(mood)) doings.push(`${monster.id},"${mood}"`)
  }
  for (const other of world.players.values()) {
    if (other === player || !other.isHere || !isAlive(other) || other.depth !== level.depth) continue
    if (sight.lit[other.cell] !== 1) continue
    const health = Math.ceil((other.hp * 9) / other.maxHp)
    entities.push(`${-other.id},"@",${other.cell},${health},${other.kind === 'agent' ? 4 : 3}`)
    names.push(`${-other.id},"${other.name}"`)
  }
  return { entities: entities.join(','), names: names.join(','), doings: doings.join(',') }
}

/**
 * Items on the ground: cell and glyph in `piles`; cell, name, and 1 for an item of a treasury, of which a player may
 * take one, in `floor`. No name needs an escape in JSON.
 */
function encodePiles(world: World, level: Level, player: Player): { piles: string; floor: string } {
  const piles: string[] = []
  const floor: string[] = []
  for (const { cell, item, vault } of seePiles(level, player)) {
    piles.push(`${cell},"${itemGlyph(item.kind)}"`)
    floor.push(`${cell},"${itemName(world, player, item)}",${vault > 0 ? 1 : 0}`)
  }
  return { piles: piles.join(','), floor: floor.join(',') }
}

const encodeGear = (world: World, player: Player): string =>
  `"${itemName(world, player, player.weapon)}","${itemName(world, player, player.armour)}",${player.hasAmulet ? 1 : 0}`

/** Key, glyph and name of each item in the pack, three values each. */
const encodePack = (world: World, player: Player): string =>
  player.pack
    .map((item, slot) => `"${slotKeys[slot]}","${itemGlyph(item.kind)}","${itemName(world, player, item)}"`)
    .join(',')

const encodeStatuses = (player: Player): string =>
  seeStatuses(player)
    .map(({ name, turns }) => `"${name}",${turns}`)
    .join(',')

/** Whether a player is told of an event, or sees it. */
export function perceives(world: World, id: number, event: GameEvent): boolean {
  if (event.to !== 0) return event.to === id
  const player = getPlayer(world, id)
  if (event.by === id) return true
  if (event.depth !== player.depth) return false
  return event.cell === player.cell || sightOf(getLevel(world, player.depth), player).lit[event.cell] === 1
}

/**
 * The changes for a viewer since the last call, as one JSON message: only new tiles, and other parts whole when they
 * differ. Undefined if there is nothing to send and no input to acknowledge.
 */
export function encodeDelta(
  world: World,
  id: number,
  view: View,
  events: readonly GameEvent[],
  { ack, type = 'delta' }: { ack?: number; type?: 'snapshot' | 'delta' } = {},
): string | undefined {
  const player = getPlayer(world, id)
  const level = getLevel(world, player.depth)
  const fields: string[] = []
  if (view.depth !== level.depth) {
    view.depth = level.depth
    view.sent.fill(0)
    view.changes = level.changes.length
    view.parts = [...noParts]
    fields.push(`"depth":${level.depth},"clear":1`)
  }
  const tiles = encodeTiles(level, knownOn(player, level.depth), view)
  if (tiles !== '') fields.push(`"t":[${tiles}]`)
  const { piles, floor } = encodePiles(world, level, player)
  const { entities, names, doings } = encodeEntities(world, level, player)
  const parts = [
    encodeMe(player),
    entities,
    names,
    doings,
    piles,
    floor,
    encodeGear(world, player),
    encodePack(world, player),
    encodeStatuses(player),
  ]
  for (const [at, name] of partNames.entries()) {
    const part = parts[at] ?? ''
    if (view.parts[at] === part) continue
    view.parts[at] = part
    fields.push(`"${name}":[${part}]`)
  }
  const told = events.filter((event) => perceives(world, id, event))
  if (told.length > 0) fields.push(`"m":${JSON.stringify(told.map((event) => [event.kind, toText(event, id)]))}`)
  if (fields.length === 0 && ack === undefined && type === 'delta') return undefined
  view.seq++
  const head = [`"type":"${type}"`, `"seq":${view.seq}`, ...(ack === undefined ? [] : [`"ack":${ack}`])]
  return `{${[...head, ...fields].join(',')}}`
}
