import { countBits, lowestBit } from './bits.ts'
import type { Hits } from './hits.ts'

/**
 * Hits as the index keeps them, in about a byte a document. Few different counts occur in one list: they are its kinds,
 * in the order in which they are first needed, and each document has the number of its kind, in as many bits as the
 * highest takes.
 *
 *     documents, kinds, words    32 bits each
 *     counts of each kind        32 bits
 *     documents of each kind     32 bits
 *     rows                       a bit for each row, in words of 32; or, where there are no words, how many rows are
 *                                left out before each document, in groups of seven bits, the lowest first
 *     kind of each document      and 24 bits of nothing, so that 32 can be read from every place
 *
 * Words are in the byte order of the machine, which builds and serves.
 */
export type PackedHits = Uint8Array

/** Packed hits as they are worked with; the large parts are read where they lie. */
export interface OpenHits {
  readonly documents: number
  /** The counts of each kind. */
  readonly counts: Uint32Array
  /** How many documents are of each kind. */
  readonly frequencies: Uint32Array
  /** A bit for each row; empty where rows are gaps. */
  readonly bits: Int32Array
  /** How many bits are set before every fourth word. */
  readonly ranks: Uint32Array
  readonly gaps: Uint8Array
  readonly kinds: Uint8Array
  /** Bits that the number of a kind takes. */
  readonly width: number
  /** What is kept of it, in bytes. */
  readonly size: number
}

const headWords = 3
const padding = 3
/** With more than one document in so many rows, a bit for each row is read faster and is not much larger. */
const denseRows = 16
/** Words for which `ranks` has one number. */
export const rankedWords = 4

const widthOf = (kinds: number): number => 32 - Math.clz32(kinds - 1)
const kindBytes = (documents: number, width: number): number => Math.ceil((documents * width) / 8) + padding

/** The hits as the index keeps them; ascending by row, no row above 2,147,483,647. */
export function packHits(hits: Hits): PackedHits {
  const documents = hits.length / 2
  const rows = documents === 0 ? 0 : (hits.at(-2) ?? 0) + 1
  const words = documents * denseRows > rows ? Math.ceil(rows / 32) : 0
  const { kinds, frequencies } = findKinds(hits)
  const gapsAt = 4 * (headWords + 2 * kinds.size + words)
  const kindsAt = gapsAt + (words > 0 ? 0 : countGapBytes(hits))
  const width = widthOf(kinds.size)
  const packed = new Uint8Array(kindsAt + kindBytes(documents, width))
  const head = new Uint32Array(packed.buffer, 0, gapsAt / 4)
  head.set([documents, kinds.size, words, ...kinds.keys(), ...frequencies])
  if (words > 0) writeBits(hits, head.subarray(-words))
  else writeGaps(hits, packed.subarray(gapsAt))
  for (let place = 0; place < documents; place++)
    writeKind(packed, kindsAt * 8 + place * width, kinds.get(hits[2 * place + 1] ?? 0) ?? 0)
  return packed
}

function findKinds(hits: Hits) {
  const kinds = new Map<number, number>()
  const frequencies: number[] = []
  for (let at = 1; at < hits.length; at += 2) {
    const counts = hits[at] ?? 0
    const kind = kinds.get(counts) ?? kinds.size
    if (kind === kinds.size) kinds.set(counts, kind)
    frequencies[kind] = (frequencies[kind] ?? 0) + 1
  }
  return { kinds, frequencies }
}

function countGapBytes(hits: Hits): number {
  let bytes = hits.length / 2
  for (let at = 0, row = -1; at < hits.length; at += 2) {
    for (let skipped = (hits[at] ?? 0) - row - 1; skipped > 0x7f; skipped >>>= 7) bytes += 1
    row = hits[at] ?? 0
  }
  return bytes
}

function writeGaps(hits: Hits, into: Uint8Array): void {
  for (let from = 0, at = 0, row = -1; from < hits.length; from += 2) {
    let skipped = (hits[from] ?? 0) - row - 1
    for (; skipped > 0x7f; skipped >>>= 7) into[at++] = 0x80 | (skipped & 0x7f)
    into[at++] = skipped
    row = hits[from] ?? 0
  }
}

function writeBits(hits: Hits, into: Uint32Array): void {
  for (let at = 0; at < hits.length; at += 2) {
    const row = hits[at] ?? 0
    into[row >>> 5] = (into[row >>> 5] ?? 0) | (1 << (row & 31))
  }
}

function writeKind(into: Uint8Array, bit: number, kind: number): void {
  for (let rest = kind << (bit & 7), at = bit >>> 3; rest !== 0; rest >>>= 8, at++) into[at] = (into[at] ?? 0) | rest
}

export function openHits(packed: PackedHits): OpenHits {
  const bytes = packed.byteOffset % 4 === 0 ? packed : packed.slice()
  const at = (word: number) => bytes.byteOffset + 4 * word
  const [documents = 0, kinds = 0, words = 0] = new Uint32Array(bytes.buffer, at(0), headWords)
  const bits = new Int32Array(bytes.buffer, at(headWords + 2 * kinds), words)
  const ranks = rankWords(bits)
  const width = widthOf(kinds)
  const kindsAt = bytes.length - kindBytes(documents, width)
  return {
    documents,
    counts: new Uint32Array(bytes.buffer, at(headWords), kinds),
    frequencies: new Uint32Array(bytes.buffer, at(headWords + kinds), kinds),
    bits,
    ranks,
    gaps: bytes.subarray(4 * (headWords + 2 * kinds + words), kindsAt),
    kinds: bytes.subarray(kindsAt),
    width,
    size: bytes.length + ranks.byteLength,
  }
}

function rankWords(bits: Int32Array): Uint32Array {
  const ranks = new Uint32Array(Math.ceil(bits.length / rankedWords))
  for (let word = 0, before = 0; word < bits.length; word++) {
    if (word % rankedWords === 0) ranks[word / rankedWords] = before
    before += countBits(bits[word] ?? 0)
  }
  return ranks
}

/** The kind of the document at a place of the list. */
export function kindAt({ kinds, width }: OpenHits, place: number): number {
  const bit = place * width
  const at = bit >>> 3
  const bytes =
    (kinds[at] ?? 0) | ((kinds[at + 1] ?? 0) << 8) | ((kinds[at + 2] ?? 0) << 16) | ((kinds[at + 3] ?? 0) << 24)
  return (bytes >>> (bit & 7)) & ((1 << width) - 1)
}

/** Writes the rows of all documents over what is there. */
export function readRows({ bits, gaps }: OpenHits, into: Uint32Array): void {
  let length = 0
  for (let word = 0; word < bits.length; word++)
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) into[length++] = word * 32 + lowestBit(rest)
  for (let at = 0, row = -1; at < gaps.length; ) {
    let byte = gaps[at++] ?? 0
    let skipped = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = gaps[at++] ?? 0
      skipped |= (byte & 0x7f) << shift
    }
    row += skipped + 1
    into[length++] = row
  }
}

/** The hits in an array of their own. */
export function readHits(packed: PackedHits): Hits {
  const open = openHits(packed)
  const rows = new Uint32Array(open.documents)
  readRows(open, rows)
  const hits = new Uint32Array(2 * open.documents)
  for (const [place, row] of rows.entries()) hits.set([row, open.counts[kindAt(open, place)] ?? 0], 2 * place)
  return hits
}
