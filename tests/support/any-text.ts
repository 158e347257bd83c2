import fc from 'fast-check'

/** Code points that are half a character. */
const surrogates = { first: 0xd800, count: 0x800 }

/** fast-check asks whether texts that often break programs are made of these characters, and expects an error if not. */
function toNumber(character: unknown): number {
  if (typeof character !== 'string' || [...character].length !== 1 || !character.isWellFormed())
    throw new Error('not one whole character')
  const point = character.codePointAt(0) ?? 0
  return point < surrogates.first ? point : point - surrogates.count
}

/**
 * Any character, like the unit `binary` of fast-check, which makes a table of all of them: a second of processor time
 * and 110 MB in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates.count })
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count), toNumber)
