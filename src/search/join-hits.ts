import { hasRow, type OpenHits, placeOf, readRows } from './packed-hits.ts'

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

export const isDense = ({ bits }: OpenHits): boolean => bits.length > 0

/**
 * Makes the function that finds the documents which are in every list, when there is one without bits, whose few
 * documents bound the work. It works in arrays that it keeps: at hundreds of queries per second, fresh ones are so much
 * memory that collecting it holds up the answers. So what it found stands only until it is called again.
 *
 * @param most how many documents a list without bits has at most
 */
export function makeJoinHits(most: number) {
  const [rows, listed] = [new Uint32Array(most), new Uint32Array(most)]
  const kept: Uint32Array[] = []
  const keptPlaces = (number: number): Uint32Array => {
    const places = kept[number] ?? new Uint32Array(most)
    kept[number] = places
    return places
  }

  /** @param lists by how many documents they have, the fewest first */
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
