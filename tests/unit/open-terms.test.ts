import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerms } from '../../src/search/open-terms.ts'
import { makeFindBest } from '../../src/search/rank.ts'
import { toLengthNorms } from '../../src/search/ranked-term.ts'
import { writeSearchIndex } from '../../src/search/write-search-index.ts'
import { samplePost } from '../support/search-library.ts'

const documents = 2000
/** The nth word is in every document number divisible by n % 40 + 1: some words are in nearly all, some in few. */
const words = Array.from({ length: 300 }, (_, number) => `w${number}q`)
const folder = mkdtempSync(join(tmpdir(), 'search-terms-'))
let db: DatabaseSync
beforeAll(() => {
  const file = join(folder, 'search.db')
  const posts = Array.from({ length: documents }, (_, number) =>
    samplePost(number, { body: words.filter((_, word) => number % ((word % 40) + 1) === 0).join(' ') }),
  )
  writeSearchIndex(file, posts)
  db = new DatabaseSync(file, { readOnly: true })
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

const findBest = makeFindBest(toLengthNorms(new Uint32Array(documents).fill(100)))
const toAsked = (number: number) => {
  const [one = '', other = '', third = ''] = [words[number], words[(number * 7) % 300], words[(number * 11) % 300]]
  const spelt = { exact: [one, `${other}x`], prefix: undefined, others: new Map([[`${other}x`, [other]]]) }
  const widened = { exact: [one], prefix: undefined, others: new Map([[one, [other, third, 'nowhere']]]) }
  return [
    { exact: [one, other, third], prefix: undefined },
    { exact: [one], prefix: other.slice(0, 3) },
    spelt,
    widened,
  ]
}
const asked = words.slice(0, 80).flatMap((_, number) => toAsked(number))

test('the result is the same with any cache size', () => {
  const [all, none, few] = [openTerms(db, documents), openTerms(db, documents, 0), openTerms(db, documents, 20_000)]
  for (let round = 0; round < 2; round++)
    for (const terms of asked) {
      const expected = findBest(all.findTerms(terms), 10)
      expect(expected.total).toBeGreaterThan(0)
      for (const { findTerms, isFound } of [none, few]) {
        const found = findTerms(terms)
        // The real search calls isFound in between, for possible misspellings.
        for (const term of terms.exact) isFound(term, false)
        expect(findBest(found, 10)).toEqual(expected)
      }
    }
})

test('memory that is not cached is freed at the next query, not at garbage collection', () => {
  const bytesAfter = (atMost?: number) => {
    const { findTerms } = openTerms(db, documents, atMost)
    const ask = () => asked.slice(0, 4).flatMap(findTerms)
    ask()
    // What is asked for again is cached.
    const found = ask()
    findTerms({ exact: [], prefix: 'w' })
    return found.map(({ hits }) => hits.counts.buffer.byteLength + hits.ranks.buffer.byteLength)
  }
  expect(new Set(bytesAfter(0))).toEqual(new Set([0]))
  expect(bytesAfter()).not.toContain(0)
})
