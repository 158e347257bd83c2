import { hasRow, type OpenHits, placeOf, readRows } from './packed-hits.ts'

/** Documents that are in several lists, ascending by row. */
export interface Joined {
  readonly size: number
  readonly rows: Uint32Array
  /** For each list, the position of each document in it. */
  readonly places: readonly Uint32Array[]
}

interface Part {
  readonly list: OpenHits
  readonly places: Uint32Array
}

export const isDense = ({ bits }: OpenHits): boolean => bits.length > 0

/**
 * Makes the function that intersects lists, at least one of which has no bitset; its few documents bound the work. It
 * reuses its arrays: at hundreds of queries per second, collecting new ones would delay responses. So a result is valid
 * only until the next call.
 *
 * @param most the largest number of documents in a list without a bitset
 */
export function makeJoinHits(most: number) {
  const [rows, listed] = [new Uint32Array(most), new Uint32Array(most)]
  const kept: Uint32Array[] = []
  const keptPlaces = (number: number): Uint32Array => {
    const places = kept[number] ?? new Uint32Array(most)
    kept[number] = places
    return places
  }

  /** @param lists sorted by number of documents, fewest first */
  return (lists: readonly OpenHits[]): Joined => {
    const parts = lists.map((list, number): Part => ({ list, places: keptPlaces(number) }))
    const [first, ...others] = parts.filter(({ list }) => !isDense(list))
    if (!first) throw new Error('All lists have bits')
    let size = begin(first, rows)
    const done = [first.places]
    for (const part of [...others, ...parts.filter(({ list }) => isDense(list))]) {
      const found = { size, rows, done }
      size = isDense(part.list) ? keepSet(part, found) : keepListed(part, found, listed)
      done.push(part.places)
    }
    return { size, rows, places: parts.map(({ places }) => places) }
  }
}

/** The intermediate result, and the positions in the lists that are done. */
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

/** Moves a document that stays to its new position. */
function keep({ rows, done }: Found, from: number, to: number): void {
  rows[to] = rows[from] ?? 0
  for (const places of done) places[to] = places[from] ?? 0
}

/** Keeps the documents whose bit is set in another list. */
function keepSet({ list, places }: Part, found: Found): number {
  let kept = 0
  for (let from = 0; from < found.size; from++) {
    const row = found.rows[from] ?? 0
    if (!hasRow(list, row)) continue
    keep(found, from, kept)
    places[kept++] = placeOf(list, row)
  }
  return kept
}

/** Keeps the documents that are in another list without a bitset. */
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
