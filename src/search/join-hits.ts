import { countBits, lowestBit } from './bits.ts'
import { type OpenHits, rankedWords, readRows } from './packed-hits.ts'

/** Documents that several lists have, ascending by row. */
export interface Joined {
  readonly size: number
  readonly rows: Uint32Array
  /** Of each list, at which of its places each document is. */
  readonly places: readonly Uint32Array[]
}

interface Part {
  readonly list: OpenHits
  readonly places: Uint32Array
}

/**
 * Makes the function that finds the documents which are in every list. It works in arrays that it keeps: at hundreds of
 * queries per second, fresh ones are so much memory that collecting it holds up the answers. So what it found stands
 * only until it is called again. Arrays of numbers, because a frequent word is in all documents.
 */
export function makeJoinHits(documents: number) {
  const [rows, more] = [new Uint32Array(documents), new Uint32Array(documents)]
  const keptPlaces: Uint32Array[] = []
  const placesOf = (number: number): Uint32Array => {
    const places = keptPlaces[number] ?? new Uint32Array(documents)
    keptPlaces[number] = places
    return places
  }

  /** @param lists by how many documents they have, the fewest first */
  return (lists: readonly OpenHits[]): Joined => {
    const parts = lists.map((list, number): Part => ({ list, places: placesOf(number) }))
    const dense = parts.filter(({ list }) => list.bits.length > 0)
    const [first, ...others] = parts.filter(({ list }) => list.bits.length === 0)
    let size = first ? begin(first, rows) : joinBits(dense, rows)
    if (first) {
      const done = [first.places]
      for (const part of [...others, ...dense]) {
        size =
          part.list.bits.length > 0 ? keepSet(part, { size, rows, done }) : keepListed(part, { size, rows, done }, more)
        done.push(part.places)
      }
    }
    return { size, rows, places: parts.map(({ places }) => places) }
  }
}

/** What is found so far, and the places of the lists that it is found in. */
interface Found {
  readonly size: number
  readonly rows: Uint32Array
  readonly done: readonly Uint32Array[]
}

function begin({ list, places }: Part, rows: Uint32Array): number {
  readRows(list, rows)
  for (let place = 0; place < list.documents; place++) places[place] = place
  return list.documents
}

/** Closes the gap before the next document that stays. */
function keep({ rows, done }: Found, from: number, to: number): void {
  rows[to] = rows[from] ?? 0
  for (const places of done) places[to] = places[from] ?? 0
}

/** Keeps the documents whose bits are set. */
function keepSet({ list: { bits, ranks }, places }: Part, found: Found): number {
  let kept = 0
  for (let from = 0, word = 0, before = 0; from < found.size; from++) {
    const row = found.rows[from] ?? 0
    const wanted = row >>> 5
    if (wanted >= bits.length) break
    const ranked = wanted - (wanted % rankedWords)
    if (ranked > word) {
      word = ranked
      before = ranks[ranked / rankedWords] ?? 0
    }
    for (; word < wanted; word++) before += countBits(bits[word] ?? 0)
    const own = bits[word] ?? 0
    const bit = 1 << (row & 31)
    if ((own & bit) === 0) continue
    keep(found, from, kept)
    places[kept++] = before + countBits(own & (bit - 1))
  }
  return kept
}

/** Keeps the documents that another list names. */
function keepListed({ list, places }: Part, found: Found, listed: Uint32Array): number {
  readRows(list, listed)
  let kept = 0
  for (let from = 0, place = 0; from < found.size; from++) {
    const row = found.rows[from] ?? 0
    while (place < list.documents && (listed[place] ?? 0) < row) place += 1
    if (place === list.documents) break
    if (listed[place] !== row) continue
    keep(found, from, kept)
    places[kept++] = place
  }
  return kept
}

/** The documents whose bits are set in all lists, 32 rows at a time. */
function joinBits(parts: readonly Part[], rows: Uint32Array): number {
  const words = Math.min(...parts.map(({ list }) => list.bits.length))
  const before = new Uint32Array(parts.length)
  let size = 0
  for (let word = 0; word < words; word++) {
    let common = -1
    for (const { list } of parts) common &= list.bits[word] ?? 0
    const start = size
    for (let rest = common; rest !== 0; rest &= rest - 1) rows[size++] = word * 32 + lowestBit(rest)
    for (const [number, { list, places }] of parts.entries()) {
      const own = list.bits[word] ?? 0
      const first = before[number] ?? 0
      before[number] = first + countBits(own)
      if (own === common) for (let at = start; at < size; at++) places[at] = first + at - start
      else
        for (let at = start; at < size; at++) places[at] = first + countBits(own & ((1 << ((rows[at] ?? 0) & 31)) - 1))
    }
  }
  return size
}
