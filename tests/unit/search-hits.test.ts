import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countHits, makeMergeHits, packHits, readHits, unpackHits } from '../../src/search/hits.ts'
import { seed } from '../support/figures.ts'

const documents = 40_000
const counts = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 0xffff_ffff }))
/** Of rows that lie together and far apart. */
const someHits = fc
  .uniqueArray(fc.oneof(fc.nat(50), fc.nat(documents - 1)), { maxLength: 60 })
  .chain((rows) =>
    fc.tuple(...rows.toSorted((one, other) => one - other).map((row) => fc.tuple(fc.constant(row), counts))),
  )
  .map((pairs) => Uint32Array.from(pairs.flat()))

describe('packed hits', () => {
  it('are read as they were, whatever the rows and the counts', () => {
    fc.assert(
      fc.property(someHits, (hits) => {
        const packed = packHits(hits)
        expect(countHits(packed)).toBe(hits.length / 2)
        expect(readHits(packed)).toEqual(hits)
      }),
      seed,
    )
  })

  it('are read to the last row that a number holds', () => {
    const hits = Uint32Array.from([0x7f, 1, 0x100, 254, 0x4100, 255, 0x7fff_ffff, 0xffff_ffff])
    expect(readHits(packHits(hits))).toEqual(hits)
  })

  it('take two bytes a document where every text has the word', () => {
    const hits = Uint32Array.from({ length: 2 * documents }, (_, at) => (at % 2 === 0 ? at / 2 : 3))
    expect(packHits(hits).byteLength).toBe(4 + 2 * documents)
  })

  it('are written over those of another term, which may have been more', () => {
    const into = new Uint32Array(8).fill(9)
    expect(unpackHits(packHits(Uint32Array.from([2, 1, 5, 2])), into)).toBe(4)
    expect([...into]).toEqual([2, 1, 5, 2, 9, 9, 9, 9])
  })

  it('of several terms are those of every document that has one of them, added up', () => {
    const merge = makeMergeHits(documents)
    fc.assert(
      fc.property(fc.array(someHits, { maxLength: 4 }), (lists) => {
        const merged = readHits(merge(lists.map(packHits)))
        const rows = new Set(lists.flatMap((hits) => [...hits].filter((_, at) => at % 2 === 0)))
        const inOrder = [...rows].toSorted((one, other) => one - other)
        expect([...merged].filter((_, at) => at % 2 === 0)).toEqual(inOrder)
      }),
      seed,
    )
    const [one, other] = [Uint32Array.from([1, 2, 3, 0x0101_0004]), Uint32Array.from([3, 0x0100_0005])]
    expect([...readHits(merge([one, other].map(packHits)))]).toEqual([1, 2, 3, 0x0201_0009])
  })
})
