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

const unpackCounts = (packed: number): Counts => ({
  title: packed >>> 24,
  excerpt: (packed >>> 16) & 0xff,
  body: packed & 0xffff,
})

/** The hits of several terms as if they were one. */
export function mergeHits(lists: readonly Hits[], documents: number): Hits {
  const [first] = lists
  if (first && lists.length === 1) return first
  const sums = new Uint32Array(documents)
  for (const list of lists)
    for (let at = 0; at < list.length; at += 2) sums[list[at] ?? 0] = add(sums[list[at] ?? 0] ?? 0, list[at + 1] ?? 0)
  const merged: number[] = []
  for (const [row, packed] of sums.entries()) if (packed !== 0) merged.push(row, packed)
  return Uint32Array.from(merged)
}

function add(some: number, more: number): number {
  const [a, b] = [unpackCounts(some), unpackCounts(more)]
  return packCounts({ title: a.title + b.title, excerpt: a.excerpt + b.excerpt, body: a.body + b.body })
}

/** As kept in the database, in the byte order of the machine, which builds and serves. */
export const toBytes = (hits: Hits): Uint8Array => new Uint8Array(hits.buffer, hits.byteOffset, hits.byteLength)

export const readHits = (bytes: Uint8Array): Hits =>
  bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Uint32Array(bytes.slice().buffer)
