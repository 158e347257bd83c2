import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byRank, toScore } from '../../src/search/field-weights.ts'
import { addCounts, packCounts } from '../../src/search/hits.ts'
import { isDense, makeJoinHits } from '../../src/search/join-hits.ts'
import { makeMergeHits } from '../../src/search/merge-hits.ts'
import { hasRow, openHits, packHits, placeOf, readHits } from '../../src/search/packed-hits.ts'
import { makeFindBest } from '../../src/search/rank.ts'
import { toLengthNorms, toRankedTerm, toRelevance } from '../../src/search/ranked-term.ts'
import { figure, seed } from '../support/figures.ts'

const documents = 2000
const counts = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.record({ title: fc.nat(2), excerpt: fc.nat(3), body: fc.integer({ min: 1, max: 9 }) }).map(packCounts),
  fc.integer({ min: 1, max: 0xffff_ffff }),
)
/** Rows close together and far apart, in a few documents, in every third and in nearly all. */
const someRows = fc.oneof(
  fc.uniqueArray(fc.oneof(fc.nat(50), fc.nat(documents - 1)), { maxLength: 60 }),
  fc
    .record({ from: fc.nat(200), length: fc.nat(documents - 200), step: fc.integer({ min: 1, max: 40 }) })
    .map(({ from, length, step }) =>
      Array.from({ length: Math.floor(length / step) }, (_, place) => from + place * step),
    ),
  fc
    .uniqueArray(fc.nat(documents - 1), { maxLength: 40 })
    .map((left) => Array.from({ length: documents }, (_, row) => row).filter((row) => !left.includes(row))),
)
const someHits = fc
  .record({ rows: someRows, kinds: fc.array(counts, { minLength: 1, maxLength: 40 }) })
  .map(({ rows, kinds }) => {
    const inOrder = rows.toSorted((one, other) => one - other)
    return Uint32Array.from(inOrder.flatMap((row, place) => [row, kinds[(place * 7) % kinds.length] ?? 1]))
  })
const runs = { ...seed, numRuns: figure(300, 20_000) }

const rowsOf = (hits: Uint32Array) => [...hits].filter((_, at) => at % 2 === 0)
const toMap = (hits: Uint32Array) => new Map(rowsOf(hits).map((row, place) => [row, hits[2 * place + 1] ?? 0]))
const evenly = (length: number, gap: number) =>
  Uint32Array.from({ length: 2 * length }, (_, at) => (at % 2 === 0 ? (at / 2) * gap : 1 + (at % 5)))

describe('packed hits', () => {
  it('are decoded to the original rows and counts', () => {
    fc.assert(
      fc.property(someHits, (hits) => {
        const packed = packHits(hits)
        expect(openHits(packed).documents).toBe(hits.length / 2)
        expect(readHits(packed)).toEqual(hits)
      }),
      runs,
    )
  })

  it('are decoded correctly around every size limit of the encoding', () => {
    const lengths = [0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 513]
    for (const length of lengths)
      for (const gap of [1, 2, 15, 16, 17, 127, 128, 129, 0x4001, 0x20_0001]) {
        const hits = evenly(length, gap)
        expect(readHits(packHits(hits))).toEqual(hits)
      }
  })

  it('are decoded up to the last row number', () => {
    const hits = Uint32Array.from([0x7f, 1, 0x100, 254, 0x4100, 255, 0x2000_0000, 7, 0x7fff_ffff, 0xffff_ffff])
    expect(readHits(packHits(hits))).toEqual(hits)
    const alone = Uint32Array.from([0x7fff_ffff, 1])
    expect(readHits(packHits(alone))).toEqual(alone)
  })

  it('are decoded with as many different counts as documents', () => {
    for (const length of [1, 2, 3, 4, 5, 255, 256, 257, 40_000]) {
      const hits = Uint32Array.from({ length: 2 * length }, (_, at) => (at % 2 === 0 ? at / 2 : at))
      expect(readHits(packHits(hits))).toEqual(hits)
    }
  })

  it('take two bits per document if every text has the word equally often', () => {
    const hits = Uint32Array.from({ length: 2 * documents }, (_, at) => (at % 2 === 0 ? at / 2 : 3))
    expect(packHits(hits).byteLength).toBeLessThan((2 * documents) / 8 + 100)
  })

  it('of several terms are the union of their documents, with counts added', () => {
    const merge = makeMergeHits(documents)
    fc.assert(
      fc.property(fc.array(someHits, { maxLength: 4 }), (lists) => {
        const sums = new Map<number, number>()
        for (const hits of lists)
          for (const [row, counts] of toMap(hits)) sums.set(row, addCounts(sums.get(row) ?? 0, counts))
        const merged = readHits(merge(lists.map((hits) => openHits(packHits(hits)))))
        expect([...toMap(merged)]).toEqual([...sums].toSorted(([one], [other]) => one - other))
      }),
      runs,
    )
    const [one, other] = [Uint32Array.from([1, 2, 3, 0x0101_0004]), Uint32Array.from([3, 0x0100_0005])]
    expect([...readHits(merge([one, other].map((hits) => openHits(packHits(hits)))))]).toEqual([1, 2, 3, 0x0201_0009])
  })

  it('tell for every row whether it is included, at which position, and the best score near it', () => {
    fc.assert(
      fc.property(someHits, (hits) => {
        const open = openHits(packHits(hits))
        fc.pre(isDense(open))
        const all = toMap(hits)
        const inOrder = [...all.keys()]
        for (let row = 0; row < documents; row++) {
          expect(hasRow(open, row)).toBe(all.has(row))
          if (all.has(row)) expect(placeOf(open, row)).toBe(inOrder.indexOf(row))
        }
        for (const [block, best] of open.best.entries()) {
          const counts = inOrder.filter((row) => Math.floor(row / 128) === block).map((row) => all.get(row) ?? 0)
          if (counts.length > 0) expect(open.counts[best]).toBe(counts.toSorted(byRank)[0])
        }
      }),
      { ...runs, numRuns: figure(50, 5000) },
    )
  })

  it('are intersected to common documents, with the position in every list', () => {
    const join = makeJoinHits(documents)
    fc.assert(
      fc.property(fc.array(someHits, { minLength: 1, maxLength: 4 }), (lists) => {
        const opened = lists.map((hits) => openHits(packHits(hits)))
        fc.pre(!opened.every(isDense))
        const { size, rows, places } = join(opened)
        const all = lists.map(toMap)
        const common = rowsOf(lists[0] ?? new Uint32Array()).filter((row) => all.every((hits) => hits.has(row)))
        expect([...rows.subarray(0, size)]).toEqual(common)
        for (const [number, hits] of lists.entries())
          expect([...(places[number] ?? []).slice(0, size)].map((place) => hits[2 * place])).toEqual(common)
      }),
      runs,
    )
  })
})

describe('the best documents', () => {
  const lengths = Uint32Array.from({ length: documents }, (_, row) => 100 + ((row * 37) % 900))
  const norms = toLengthNorms(lengths)
  const findBest = makeFindBest(norms)

  it('are the best of all that have every term, whatever is skipped', () => {
    const limits = fc.integer({ min: 1, max: 12 })
    const places = fc.constantFrom(
      undefined,
      Int32Array.from({ length: 63 }, (_, word) => word * 0x0f0f_1234),
    )
    fc.assert(
      fc.property(fc.array(someHits, { minLength: 1, maxLength: 4 }), limits, places, (lists, limit, wanted) => {
        const terms = lists.map((hits) => toRankedTerm(openHits(packHits(hits)), documents))
        const all = lists.map(toMap)
        const inOrder = [...terms.keys()].toSorted((a, b) => (all[a]?.size ?? 0) - (all[b]?.size ?? 0))
        const found = rowsOf(lists[0] ?? new Uint32Array()).filter(
          (row) =>
            all.every((hits) => hits.has(row)) && (!wanted || ((wanted[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0),
        )
        const ranked = found.map((row) => {
          const score = all.reduce((sum, hits) => sum + toScore(hits.get(row) ?? 0), 0)
          const relevance = inOrder.reduce((sum, number) => {
            const [term, kind] = [terms[number], terms[number]?.hits.counts.indexOf(all[number]?.get(row) ?? 0)]
            return sum + (term ? toRelevance(term, kind ?? 0, norms[row] ?? 0) : 0)
          }, 0)
          return { row, score, relevance }
        })
        const best = ranked.toSorted((a, b) => b.score - a.score || b.relevance - a.relevance || b.row - a.row)
        expect(findBest(terms, limit, wanted)).toEqual({
          total: found.length,
          rows: best.slice(0, limit).map(({ row }) => row),
        })
      }),
      runs,
    )
  })

  it('are found at any position among many equal ones', () => {
    const findAlike = makeFindBest(toLengthNorms(new Uint32Array(documents).fill(500)))
    const better = [packCounts({ title: 0, excerpt: 0, body: 2 }), packCounts({ title: 1, excerpt: 0, body: 0 })]
    for (const best of [0, 1, 31, 32, 127, 128, 129, 255, 256, 1000, 1919, 1920, documents - 2, documents - 1])
      for (const counts of better) {
        const hits = Uint32Array.from({ length: 2 * documents }, (_, at) => (at % 2 === 0 ? at / 2 : 1))
        hits[2 * best + 1] = counts
        const terms = [hits, hits].map((list) => toRankedTerm(openHits(packHits(list)), documents))
        for (const asked of [terms.slice(1), terms])
          expect(findAlike(asked, 1)).toEqual({ total: documents, rows: [best] })
      }
  })
})
