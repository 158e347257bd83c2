/**
 * Where a term occurs, to work with: pairs of document row and counts, ascending by row, so that two lists are joined in
 * one walk. The counts of a document are one number: 8 bits for the title, 8 for the excerpt, 16 for the body; none
 * overflows.
 */
export type Hits = Uint32Array

/**
 * The same as it is kept, in about two bytes a document in place of eight: 32 bits with how many documents there are,
 * then for each how many rows are left out before it, in groups of seven bits, and its counts: one byte when only the
 * body has the term, or 255 and 32 bits. All numbers have their lowest byte first.
 */
export type PackedHits = Uint8Array

export interface Counts {
  readonly title: number
  readonly excerpt: number
  readonly body: number
}

export const packCounts = ({ title, excerpt, body }: Counts): number =>
  ((Math.min(title, 0xff) << 24) | (Math.min(excerpt, 0xff) << 16) | Math.min(body, 0xffff)) >>> 0

const headBytes = 4
/** In place of counts that do not fit into a byte. */
const large = 0xff

/** In how many documents the term is. */
export const countHits = (packed: PackedHits): number => readNumber(packed, 0)

/** The hits as the index keeps them; ascending by row, no row above 2,147,483,647. */
export function packHits(hits: Hits): PackedHits {
  let length = headBytes
  for (let at = 0, row = -1; at < hits.length; at += 2) {
    for (let skipped = (hits[at] ?? 0) - row - 1; skipped > 0x7f; skipped >>>= 7) length += 1
    length += (hits[at + 1] ?? 0) < large ? 2 : 2 + headBytes
    row = hits[at] ?? 0
  }
  const packed = new Uint8Array(length)
  writeNumber(packed, 0, hits.length / 2)
  for (let from = 0, at = headBytes, row = -1; from < hits.length; from += 2) {
    let skipped = (hits[from] ?? 0) - row - 1
    for (; skipped > 0x7f; skipped >>>= 7) packed[at++] = 0x80 | (skipped & 0x7f)
    packed[at++] = skipped
    const counts = hits[from + 1] ?? 0
    packed[at++] = Math.min(counts, large)
    if (counts >= large) {
      writeNumber(packed, at, counts)
      at += headBytes
    }
    row = hits[from] ?? 0
  }
  return packed
}

/** Writes the hits over those of another term; returns how many of the numbers there are now theirs. */
export function unpackHits(packed: PackedHits, into: Hits): number {
  let length = 0
  for (let at = headBytes, row = -1; at < packed.length; ) {
    let byte = packed[at++] ?? 0
    let skipped = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = packed[at++] ?? 0
      skipped |= (byte & 0x7f) << shift
    }
    row += skipped + 1
    let counts = packed[at++] ?? 0
    if (counts === large) {
      counts = readNumber(packed, at)
      at += headBytes
    }
    into[length] = row
    into[length + 1] = counts
    length += 2
  }
  return length
}

/** The hits in an array of their own. */
export function readHits(packed: PackedHits): Hits {
  const hits = new Uint32Array(countHits(packed) * 2)
  unpackHits(packed, hits)
  return hits
}

const readNumber = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)) >>> 0

function writeNumber(bytes: Uint8Array, at: number, number: number): void {
  for (let byte = 0; byte < headBytes; byte++) bytes[at + byte] = (number >>> (8 * byte)) & 0xff
}

/**
 * Makes the function that gives the hits of several terms as if they were one. It adds up in arrays that it keeps: fresh
 * ones for each query would be as long as the site has documents.
 */
export function makeMergeHits(documents: number): (lists: readonly PackedHits[]) => PackedHits {
  const sums = new Uint32Array(documents)
  const hits = new Uint32Array(documents * 2)
  return (lists) => {
    const [only = packHits(new Uint32Array())] = lists
    if (lists.length <= 1) return only
    for (const list of lists) {
      const length = unpackHits(list, hits)
      for (let at = 0; at < length; at += 2) {
        const row = hits[at] ?? 0
        const sum = sums[row] ?? 0
        sums[row] = sum === 0 ? (hits[at + 1] ?? 0) : addCounts(sum, hits[at + 1] ?? 0)
      }
    }
    let length = 0
    for (let row = 0; row < documents; row++) {
      const sum = sums[row] ?? 0
      if (sum === 0) continue
      hits[length] = row
      hits[length + 1] = sum
      sums[row] = 0
      length += 2
    }
    return packHits(hits.subarray(0, length))
  }
}

/** Packed in place, because a frequent word is added to others in every document. */
export const addCounts = (some: number, more: number): number =>
  ((Math.min((some >>> 24) + (more >>> 24), 0xff) << 24) |
    (Math.min(((some >>> 16) & 0xff) + ((more >>> 16) & 0xff), 0xff) << 16) |
    Math.min((some & 0xffff) + (more & 0xffff), 0xffff)) >>>
  0

/**
 * The hits of a term after documents got other rows.
 *
 * @param movedTo the new row of each old one, ascending; less than nothing where the document is gone
 * @param more hits in new rows, ascending, of none that are kept
 */
export function moveHits(hits: Hits, movedTo: readonly number[], more: readonly number[]): Hits {
  const moved: number[] = []
  let next = 0
  const takeMoreBelow = (row: number) => {
    for (; next < more.length && (more[next] ?? 0) < row; next += 2) moved.push(more[next] ?? 0, more[next + 1] ?? 0)
  }
  for (let at = 0; at < hits.length; at += 2) {
    const row = movedTo[hits[at] ?? 0] ?? -1
    if (row < 0) continue
    takeMoreBelow(row)
    moved.push(row, hits[at + 1] ?? 0)
  }
  takeMoreBelow(Number.POSITIVE_INFINITY)
  return Uint32Array.from(moved)
}
