import { type ImageFacts, measureImage } from './measure-image.ts'

/** What a picture must be like. */
export interface ImageExpectations {
  readonly format?: string
  /** Width over height. */
  readonly aspect?: number
  readonly minShortSide?: number
  /** Fingerprints of pictures it must not repeat. */
  readonly unlike?: readonly string[]
}

/** Whether a picture may be sold, and if not, why, in words for the operator. */
export interface ImageReview {
  readonly pass: boolean
  readonly reasons: readonly string[]
  /** For later reviews' `unlike`; absent when the picture does not decode. */
  readonly fingerprint?: string
}

/** Pictures whose fingerprints differ in at most this many of 64 bits are the same; covers differ in 12 or more. */
const sameBits = 3

function distance(first: string, second: string): number {
  let differing = BigInt(`0x${first}`) ^ BigInt(`0x${second}`)
  let count = 0
  for (; differing > 0n; differing >>= 1n) count += Number(differing & 1n)
  return count
}

/**
 * The limits are calibrated with 30 covers that pass and 19 damaged or empty pictures that must fail. The comments give
 * the ranges of both: good covers, then the others.
 */
function faultsOf(facts: ImageFacts): [fault: boolean, reason: string][] {
  return [
    [facts.entropy < 2.5, 'blank: hardly any tones'], // 3.5 to 7.4; up to 1.0
    [facts.spread < 8, 'blank: hardly any contrast'], // 35 to 98; up to 2.8
    [facts.detail < 0.04, 'blank: nothing is drawn'], // 22 to 97 %; 0
    [facts.edges < 15, 'blurred'], // 93 to 6,500; up to 2.7
    [facts.likeness < 0.55, 'noise'], // 0.735 to 0.996; up to 0.30
    [facts.black > 0.6, 'too dark'], // up to 19 %; 68 %
    [facts.white > 0.35, 'too bright'], // up to 0.7 %; 44 %
    [facts.bars > 0.22, 'bars at top and bottom'], // 0; 33 %
    [facts.bytesPerPixel < 0.03, 'compressed too hard'], // 0.056 to 0.64; up to 0.022
  ]
}

/**
 * Reviews a picture before it is sold: it must decode, have the right size and shape, be neither blank, blurred nor
 * damaged, and not repeat another one.
 */
export async function reviewImage(bytes: Uint8Array, expected: ImageExpectations = {}): Promise<ImageReview> {
  const { format = 'jpeg', aspect, minShortSide = 720, unlike = [] } = expected
  const facts = await measureImage(bytes).catch((error: unknown) => String(error))
  if (typeof facts === 'string') return { pass: false, reasons: [`does not decode: ${facts}`] }
  const { width, height, fingerprint } = facts
  const checks: [fault: boolean, reason: string][] = [
    [facts.format !== format, `is ${facts.format}, not ${format}`],
    [aspect !== undefined && Math.abs(width / height / aspect - 1) > 0.02, `has the wrong shape, ${width} × ${height}`],
    [Math.min(width, height) < minShortSide, `is too small, ${width} × ${height}`],
    ...faultsOf(facts),
    [unlike.some((other) => distance(other, fingerprint) <= sameBits), 'repeats another picture'],
  ]
  const reasons = checks.flatMap(([fault, reason]) => (fault ? [reason] : []))
  return { pass: reasons.length === 0, reasons, fingerprint }
}
