import { countBits, lowestBit, setBit } from './bits.ts'
import { byRank } from './field-weights.ts'
import { type Hits, isInName } from './hits.ts'

/**
 * Hits as the index stores them, in about one byte per document. A list has only few different counts: these are its
 * kinds, the best first, and each document stores the number of its kind, in as many bits as the highest number needs.
 *
 *     documents, kinds, words    32 bits each
 *     counts of each kind        32 bits
 *     rows                       if more than one row in 16 has the term: a bit for each row, in words of 32 bits; then
 *                                a bit for each row whose title or excerpt has it; then the best kind of each block of
 *                                four words. Otherwise the number of rows skipped before each document, in groups of
 *                                seven bits, the lowest first; the number of words is 0 then
 *     kind of each document      and 24 bits of padding, so that 32 bits can be read at every position
 *
 * Words are in the byte order of this machine, which both builds and serves.
 */
export type PackedHits = Uint8Array

/** Packed hits, opened for reading; the large parts are views of the same memory. */
export interface OpenHits {
  readonly documents: number
  /** The counts of each kind. */
  readonly counts: Uint32Array
  /** A bit for each row; empty where rows are stored as gaps. */
  readonly bits: Int32Array
  /** A bit for each row whose title or excerpt has the term. */
  readonly named: Int32Array
  /** The best kind of each block. */
  readonly best: Uint32Array
  /** How many bits are set before each block. */
  readonly ranks: Uint32Array
  readonly gaps: Uint8Array
  readonly kinds: Uint8Array
  /** Bits that the number of a kind takes. */
  readonly width: number
  /** Its size in memory, in bytes. */
  readonly size: number
}

const headWords = 3
/** The memory of the view objects of one list, in bytes. */
const viewBytes = 1536
const padding = 3
/**
 * Lists with more than one document in this many rows have a bit for each row, which is read faster and is not much
 * larger.
 */
export const denseRows = 16
/** The number of 32-bit words in a block, for each of which there are a rank and a best kind. */
export const blockWords = 4

const widthOf = (kinds: number): number => 32 - Math.clz32(kinds - 1)
const blocksOf = (words: number): number => Math.ceil(words / blockWords)
const kindBytes = (documents: number, width: number): number => Math.ceil((documents * width) / 8) + padding

/** Packs hits for the index. They must be ascending by row, with no row above 2,147,483,647. */
export function packHits(hits: Hits): PackedHits {
  const documents = hits.length / 2
  const rows = documents === 0 ? 0 : (hits.at(-2) ?? 0) + 1
  const words = documents * denseRows > rows ? Math.ceil(rows / 32) : 0
  const kinds = findKinds(hits)
  const gapsAt = 4 * (headWords + kinds.size + 2 * words + blocksOf(words))
  const kindsAt = gapsAt + (words > 0 ? 0 : countGapBytes(hits))
  const width = widthOf(kinds.size)
  const packed = new Uint8Array(kindsAt + kindBytes(documents, width))
  const head = new Uint32Array(packed.buffer, 0, gapsAt / 4)
  head.set([documents, kinds.size, words, ...kinds.keys()])
  const bitsAt = headWords + kinds.size
  if (words > 0) {
    writeBits(hits, head.subarray(bitsAt, bitsAt + words), head.subarray(bitsAt + words, bitsAt + 2 * words))
    writeBest(hits, kinds, head.subarray(bitsAt + 2 * words))
  } else writeGaps(hits, packed.subarray(gapsAt))
  for (let place = 0; place < documents; place++)
    writeKind(packed, kindsAt * 8 + place * width, kinds.get(hits[2 * place + 1] ?? 0) ?? 0)
  return packed
}

function findKinds(hits: Hits): Map<number, number> {
  const counts = new Set(hits.filter((_, at) => at % 2 === 1))
  return new Map([...counts].sort(byRank).map((one, kind) => [one, kind]))
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

function writeBits(hits: Hits, bits: Uint32Array, named: Uint32Array): void {
  for (let at = 0; at < hits.length; at += 2) {
    const row = hits[at] ?? 0
    setBit(bits, row)
    if (isInName(hits[at + 1] ?? 0)) setBit(named, row)
  }
}

function writeBest(hits: Hits, kinds: ReadonlyMap<number, number>, best: Uint32Array): void {
  best.fill(kinds.size - 1)
  for (let at = 0; at < hits.length; at += 2) {
    const block = Math.floor((hits[at] ?? 0) / 32 / blockWords)
    best[block] = Math.min(best[block] ?? 0, kinds.get(hits[at + 1] ?? 0) ?? 0)
  }
}

function writeKind(into: Uint8Array, bit: number, kind: number): void {
  for (let rest = kind << (bit & 7), at = bit >>> 3; rest !== 0; rest >>>= 8, at++) into[at] = (into[at] ?? 0) | rest
}

/** Shared empty views for lists without bits. */
const noBits = new Int32Array(0)
const noNumbers = new Uint32Array(0)

/** Opens packed hits without copying them, unless they are not aligned. */
export function openHits(packed: PackedHits): OpenHits {
  const bytes = packed.byteOffset % 4 === 0 ? packed : packed.slice()
  const at = (word: number) => bytes.byteOffset + 4 * word
  const [documents = 0, kinds = 0, words = 0] = new Uint32Array(bytes.buffer, at(0), headWords)
  const isDense = words > 0
  const bits = isDense ? new Int32Array(bytes.buffer, at(headWords + kinds), words) : noBits
  const ranks = isDense ? rankWords(bits) : noNumbers
  const width = widthOf(kinds)
  const kindsAt = bytes.length - kindBytes(documents, width)
  return {
    documents,
    counts: new Uint32Array(bytes.buffer, at(headWords), kinds),
    bits,
    named: isDense ? new Int32Array(bytes.buffer, at(headWords + kinds + words), words) : noBits,
    best: isDense ? new Uint32Array(bytes.buffer, at(headWords + kinds + 2 * words), blocksOf(words)) : noNumbers,
    ranks,
    gaps: bytes.subarray(4 * (headWords + kinds + 2 * words + blocksOf(words)), kindsAt),
    kinds: bytes.subarray(kindsAt),
    width,
    size: viewBytes + bytes.length + ranks.byteLength,
  }
}

/**
 * Frees the memory of open hits and of the packed hits in them, which must not be read any more. After some time in the
 * cache they are in V8's old generation, and would stay until a full collection.
 */
export function closeHits({ counts, ranks }: OpenHits): void {
  for (const { buffer } of [counts, ranks])
    if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) buffer.transfer(0)
}

function rankWords(bits: Int32Array): Uint32Array {
  const ranks = new Uint32Array(blocksOf(bits.length))
  for (let word = 0, before = 0; word < bits.length; word++) {
    if (word % blockWords === 0) ranks[word / blockWords] = before
    before += countBits(bits[word] ?? 0)
  }
  return ranks
}

/** Whether a row has a bit. */
export const hasRow = ({ bits }: OpenHits, row: number): boolean => ((bits[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0

/** Counts the documents in the rows before a word. */
export function countBefore({ bits, ranks }: OpenHits, word: number): number {
  const ranked = word - (word % blockWords)
  let before = ranks[ranked / blockWords] ?? 0
  for (let at = ranked; at < word; at++) before += countBits(bits[at] ?? 0)
  return before
}

/** The position in the list of a row whose bit is set. */
export const placeOf = (hits: OpenHits, row: number): number =>
  countBefore(hits, row >>> 5) + countBits((hits.bits[row >>> 5] ?? 0) & ((1 << (row & 31)) - 1))

/** The kind of the document at a position in the list. */
export function kindAt({ kinds, width }: OpenHits, place: number): number {
  const bit = place * width
  const at = bit >>> 3
  const bytes =
    (kinds[at] ?? 0) | ((kinds[at + 1] ?? 0) << 8) | ((kinds[at + 2] ?? 0) << 16) | ((kinds[at + 3] ?? 0) << 24)
  return (bytes >>> (bit & 7)) & ((1 << width) - 1)
}

/** Writes the rows of all documents into `into`. */
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

/** Unpacks hits into an array of their own. */
export function readHits(packed: PackedHits): Hits {
  const open = openHits(packed)
  const rows = new Uint32Array(open.documents)
  readRows(open, rows)
  const hits = new Uint32Array(2 * open.documents)
  for (const [place, row] of rows.entries()) hits.set([row, open.counts[kindAt(open, place)] ?? 0], 2 * place)
  return hits
}
