/**
 * Where a term occurs, in a form that can be changed: pairs of document row and packed counts, ascending by row. The
 * counts of a document are one number: 8 bits for the title, 8 for the excerpt, 16 for the body; they saturate instead
 * of overflowing.
 */
export type Hits = Uint32Array

export interface Counts {
  readonly title: number
  readonly excerpt: number
  readonly body: number
}

export const packCounts = ({ title, excerpt, body }: Counts): number =>
  ((Math.min(title, 0xff) << 24) | (Math.min(excerpt, 0xff) << 16) | Math.min(body, 0xffff)) >>> 0

export const unpackCounts = (packed: number): Counts => ({
  title: packed >>> 24,
  excerpt: (packed >>> 16) & 0xff,
  body: packed & 0xffff,
})

/** Whether the term is in the title or the excerpt. */
export const isInName = (packed: number): boolean => packed > 0xffff

/** Adds packed counts without unpacking them into objects, because a frequent word is merged in every document. */
export const addCounts = (some: number, more: number): number =>
  ((Math.min((some >>> 24) + (more >>> 24), 0xff) << 24) |
    (Math.min(((some >>> 16) & 0xff) + ((more >>> 16) & 0xff), 0xff) << 16) |
    Math.min((some & 0xffff) + (more & 0xffff), 0xffff)) >>>
  0

/**
 * The hits of a term after documents got other rows.
 *
 * @param movedTo the new row of each old one, ascending; negative where the document was removed
 * @param more hits in new rows, ascending; of none of the documents that are kept
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
