import { slotKeys } from './actions/pick-up.ts'
import { altarKinds } from './altar-kinds.ts'
import { getLevel } from './get-level.ts'
import { cellCount, height, width, xOf, yOf } from './grid.ts'
import { itemGlyph } from './items/kinds.ts'
import { isKnown, knownOn } from './known-cells.ts'
import { type Observation, observe, seePiles } from './observe.ts'
import { holdsWords, wordsRule } from './player-words.ts'
import { glyphOf } from './tiles.ts'
import { getPlayer, type Level, type Player, type World } from './world.ts'

const cropAcross = 20
const cropAlong = 10

interface Window {
  x0: number
  x1: number
  y0: number
  y1: number
}

/** The bounds of the known part of the level, limited to the player's surroundings unless `isFull`. */
function windowOf(known: Uint32Array, player: Player, isFull: boolean): Window {
  const around = { x0: width, x1: 0, y0: height, y1: 0 }
  for (let cell = 0; cell < cellCount; cell++) {
    if (!isKnown(known, cell)) continue
    around.x0 = Math.min(around.x0, xOf(cell))
    around.x1 = Math.max(around.x1, xOf(cell))
    around.y0 = Math.min(around.y0, yOf(cell))
    around.y1 = Math.max(around.y1, yOf(cell))
  }
  if (isFull) return around
  const [x, y] = [xOf(player.cell), yOf(player.cell)]
  return {
    x0: Math.max(around.x0, x - cropAcross),
    x1: Math.min(around.x1, x + cropAcross),
    y0: Math.max(around.y0, y - cropAlong),
    y1: Math.min(around.y1, y + cropAlong),
  }
}

function drawMap(level: Level, player: Player, { entities }: Observation, isFull: boolean): string {
  const known = knownOn(player, level.depth)
  const { x0, x1, y0, y1 } = windowOf(known, player, isFull)
  const drawn = new Map<number, string>()
  for (const { cell, item } of seePiles(level, player)) drawn.set(cell, itemGlyph(item.kind))
  for (const { g, x, y } of entities) drawn.set(y * width + x, g === '@' ? '&' : g)
  drawn.set(player.cell, '@')
  const rows: string[] = []
  for (let y = y0; y <= y1; y++) {
    let row = ''
    for (let x = x0; x <= x1; x++) {
      const cell = y * width + x
      row += drawn.get(cell) ?? (isKnown(known, cell) ? glyphOf(level.tiles[cell]) : ' ')
    }
    rows.push(row.trimEnd())
  }
  return [`MAP (origin x=${x0}, y=${y0}; @ you, ${legend(rows)})`, ...rows].join('\n')
}

const meanings: readonly (readonly [string, string])[] = [
  ['&', 'other player'],
  ['#', 'wall'],
  ['.', 'floor'],
  ['+', 'door'],
  ['>', 'down'],
  ['<', 'up'],
  ['~', 'shallow water'],
  ['"', 'grass (hides you)'],
  [';', 'tall grass'],
  ['}', 'deep water'],
  ['_', 'altar'],
  ['^', 'trap'],
  ["'", 'arch'],
  ['%', 'fungus'],
  ['=', 'bridge'],
  ['*', 'crystal'],
  ['0', 'statue'],
  [':', 'chasm'],
  [',', 'rubble'],
]

/** The meanings of the glyphs that are on the map. */
const legend = (rows: readonly string[]): string => {
  const drawn = rows.join('')
  return meanings.flatMap(([glyph, name]) => (drawn.includes(glyph) ? [`${glyph} ${name}`] : [])).join(', ')
}

const inView = (entities: Observation['entities']): string =>
  entities.length === 0
    ? 'nobody'
    : entities
        .map(({ name, g, dist, dir, x, y, hp, st }) => {
          const health = g === '@' ? '' : ` hp ${hp}%`
          return `${name} ${g === '@' ? '&' : g} ${dist} ${dir} (${x},${y})${health} ${st}`
        })
        .join('; ')

/** Lists keys with the same effect together: `north east=move`. */
function listKeys(keys: Observation['keys']): string {
  const byDeed = new Map<string, string[]>()
  for (const { key, does } of keys) byDeed.set(does, [...(byDeed.get(does) ?? []), key])
  return [...byDeed].map(([does, names]) => `${names.join(' ')}=${does}`).join(', ')
}

/** What a player knows and sees now, as text for models and screen readers. */
export function describe(
  world: World,
  id: number,
  messages: readonly string[],
  { full: isFull = false }: { full?: boolean } = {},
): string {
  const player = getPlayer(world, id)
  const level = getLevel(world, player.depth)
  const seen = observe(world, id, messages)
  const { you, items } = seen
  const altar = altarKinds[level.altars.get(player.cell)?.kind ?? -1]
  const company = inView(seen.entities)
  return [
    `DEPTH ${seen.depth}  TURN ${seen.turn}  HP ${you.hp}/${you.maxHp}  STR ${you.strength}  GOLD ${you.gold}  SCORE ${you.score}  YOU @ (${you.x},${you.y})`,
    [company, ...messages].some(holdsWords) ? wordsRule : '',
    you.alive ? '' : `${you.ending.startsWith('escaped') ? 'YOU HAVE WON' : 'YOU ARE DEAD'}: ${you.ending}`,
    ...messages.map((message) => `* ${message}`),
    you.statuses.length > 0 ? `STATUS: ${you.statuses.map(({ name, turns }) => `${name} ${turns}`).join(', ')}` : '',
    drawMap(level, player, seen, isFull),
    `IN VIEW: ${company}`,
    altar ? `HERE: ${altar.name}` : '',
    items.length > 0
      ? `ITEMS: ${items.map(({ name, x, y, dir, isChoice }) => `${name} ${dir} (${x},${y})${isChoice ? ' choose one' : ''}`).join('; ')}`
      : '',
    `WIELDING: ${you.weapon}  WEARING: ${you.armor}${you.hasAmulet ? '  CARRYING THE AMULET: go up and out' : ''}`,
    `PACK: ${you.pack.length > 0 ? you.pack.map((name, slot) => `${slotKeys[slot]}=${name}`).join(' ') : 'empty'}`,
    `KEYS: ${listKeys(seen.keys)}`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}
