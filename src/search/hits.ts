/**
 * Where a term occurs: pairs of document row and counts, ascending by row, so that two lists are joined in one walk.
 * The counts of a document are one number: 8 bits for the title, 8 for the excerpt, 16 for the body; none overflows.
 */
export type Hits = Uint32Array

export interface Counts {
  readonly title: number
  readonly excerpt: number
  readonly body: number
}

export const packCounts = ({ title, excerpt, body }: Counts): number =>
  ((Math.min(title, 0xff) << 24) | (Math.min(excerpt, 0xff) << 16) | Math.min(body, 0xffff)) >>> 0

/**
 * Makes the function that gives the hits of several terms as if they were one. It adds up in an array that it keeps: a
 * fresh one for each query would be as long as the site has documents.
 */
export function makeMergeHits(documents: number): (lists: readonly Hits[]) => Hits {
  const sums = new Uint32Array(documents)
  return (lists) => {
    const [only = new Uint32Array()] = lists
    if (lists.length <= 1) return only
    let size = 0
    for (const list of lists)
      for (let at = 0; at < list.length; at += 2) {
        const row = list[at] ?? 0
        const sum = sums[row] ?? 0
        if (sum === 0) size += 1
        sums[row] = sum === 0 ? (list[at + 1] ?? 0) : addCounts(sum, list[at + 1] ?? 0)
      }
    const merged = new Uint32Array(size * 2)
    for (let row = 0, at = 0; at < merged.length; row++) {
      const sum = sums[row] ?? 0
      if (sum === 0) continue
      merged[at] = row
      merged[at + 1] = sum
      sums[row] = 0
      at += 2
    }
    return merged
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

/** As kept in the database, in the byte order of the machine, which builds and serves. */
export const toBytes = (hits: Hits): Uint8Array => new Uint8Array(hits.buffer, hits.byteOffset, hits.byteLength)

export const readHits = (bytes: Uint8Array): Hits =>
  bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Uint32Array(bytes.slice().buffer)
