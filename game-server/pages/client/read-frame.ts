import { type Fields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import { withoutMarks } from '../../core/player-words.ts'
import type { Being, Label, Thing } from './dungeon-view.ts'
import type { Message } from './message-log.ts'

/** The figures of the player whose view it is. */
export interface Me {
  readonly cell: number
  readonly hp: number
  readonly maxHp: number
  readonly strength: number
  readonly gold: number
  readonly turn: number
  readonly score: number
  /** How far the player sees, in cells. */
  readonly radius: number
  /** Whether the player has died or escaped. */
  readonly isOver: boolean
}

/** An item in the pack. */
export interface PackItem {
  readonly key: string
  readonly glyph: string
  readonly name: string
}

/** A parsed `snapshot` or `delta` message; undefined fields did not change. */
export interface Frame {
  /** The depth of a level that was just entered, with which the view begins anew. */
  readonly depth: number | undefined
  /** Runs of glyphs for consecutive cells. */
  readonly runs: readonly { readonly start: number; readonly glyphs: string }[]
  readonly me: Me | undefined
  readonly beings: readonly Being[] | undefined
  readonly names: ReadonlyMap<number, string> | undefined
  readonly doings: ReadonlyMap<number, string> | undefined
  readonly things: readonly Thing[] | undefined
  readonly labels: ReadonlyMap<number, Label> | undefined
  readonly worn: readonly string[] | undefined
  readonly pack: readonly PackItem[] | undefined
  readonly statuses: readonly string[] | undefined
  readonly messages: readonly Message[]
}

/**
 * Parses the compact message format, in which each list is flat with a fixed number of values per entry. On a level
 * that was just entered, an absent list is empty, not unchanged.
 */
export function readFrame(message: Fields): Frame {
  const isNew = message['clear'] === 1
  const entries = <T>(name: string, size: number, toEntry: (values: readonly unknown[]) => T): T[] | undefined => {
    const flat = message[name]
    if (!Array.isArray(flat)) return isNew ? [] : undefined
    const count = Math.floor(flat.length / size)
    return Array.from({ length: count }, (_, at) => toEntry(flat.slice(at * size, at * size + size)))
  }
  const toNamed = ([id, name]: readonly unknown[]): [number, string] => [readNumber(id), readText(name)]
  const names = entries('n', 2, toNamed)
  const doings = entries('b', 2, toNamed)
  const labels = entries('l', 3, ([cell, name, choice]): [number, Label] => [
    readNumber(cell),
    { name: readText(name), isChoice: choice === 1 },
  ])
  return {
    depth: isNew ? readNumber(message['depth']) : undefined,
    runs: entries('t', 2, ([start, glyphs]) => ({ start: readNumber(start), glyphs: readText(glyphs) })) ?? [],
    me: Array.isArray(message['me']) ? readMe(message['me']) : undefined,
    beings: entries('e', 5, ([id, glyph, cell, health, state]) => ({
      id: readNumber(id),
      glyph: readText(glyph),
      cell: readNumber(cell),
      health: readNumber(health),
      state: readNumber(state),
    })),
    names: names && new Map(names),
    doings: doings && new Map(doings),
    labels: labels && new Map(labels),
    things: entries('i', 2, ([cell, glyph]) => ({ cell: readNumber(cell), glyph: readText(glyph) })),
    worn: readWorn(message['w']),
    pack: entries('p', 3, ([key, glyph, name]) => ({
      key: readText(key),
      glyph: readText(glyph),
      name: readText(name),
    })),
    statuses: entries('s', 2, ([name]) => readText(name)),
    messages: readList(message['m']).map((line) => {
      const [kind, text] = readList(line)
      return { kind: readText(kind), text: withoutMarks(readText(text)) }
    }),
  }
}

function readMe(values: readonly unknown[]): Me {
  const [cell = 0, hp = 0, maxHp = 1, strength = 0, gold = 0, turn = 0, score = 0, ending = 0, , radius = 0] =
    values.map(readNumber)
  return { cell, hp, maxHp, strength, gold, turn, score, radius, isOver: ending > 0 }
}

function readWorn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const [weapon, armour, hasAmulet] = value
  return [readText(weapon), readText(armour), hasAmulet === 1 ? 'the Amulet' : ''].filter((name) => name !== '')
}
