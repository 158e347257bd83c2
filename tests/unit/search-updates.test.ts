import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { packHits, readHits } from '../../src/search/packed-hits.ts'
import type { SearchDocument } from '../../src/search/search-document.ts'
import { writeSearchIndex } from '../../src/search/write-search-index.ts'
import { figure, seed } from '../support/figures.ts'
import { readSearchIndex } from '../support/read-search-index.ts'
import { samplePost } from '../support/search-library.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-updates-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function write(documents: readonly SearchDocument[], earlier?: string): string {
  const file = join(folder, `${files++}.db`)
  writeSearchIndex(file, documents, earlier)
  return file
}

/** Rows and counts by term. */
function readPostings(file: string): [term: string, hits: number[]][] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select term, hits from postings').all()
  db.close()
  return rows.map(({ term, hits }) => [String(term), hits instanceof Uint8Array ? [...readHits(hits)] : []])
}

/** Enough words with one prefix to give the prefix a posting list of its own. */
const crowded = Array.from({ length: 18 }, (_, place) => `tide${String.fromCodePoint(97 + place)}`)
const chosen = fc.array(fc.constantFrom('payments', 'payment', 'été', '東京', 'rain', ...crowded), { maxLength: 12 })
const text = fc.oneof(
  chosen.map((words) => words.join(' ')),
  fc.constant(crowded.join(' ')),
  fc.constantFrom('rain', 'payments', '東京 rain'),
)
const document = fc
  .record({
    number: fc.nat(8),
    title: fc.constantFrom('', 'rain', 'payment', 'tidea', '京'),
    body: text,
    language: fc.constantFrom('en', 'de'),
    isPage: fc.boolean(),
  })
  .map(({ number, isPage, ...fields }) =>
    samplePost(number, { ...fields, ...(isPage && { collection: 'pages', publishedAt: undefined }) }),
  )
const library = fc.uniqueArray(document, { selector: ({ url }) => url, maxLength: 8 })
/** A library, and another one that keeps some of its documents and adds others. */
const change = fc.record({ before: library, others: library, kept: fc.array(fc.boolean(), { minLength: 8 }) })

/** The first post is removed, so that the many words of the other move to another row. */
const moved = {
  before: [samplePost(1, { body: 'rain' }), samplePost(2, { body: crowded.join(' ') })],
  others: [],
  kept: [false, true],
}

describe('search', () => {
  it('is the same after any change as after a build from scratch', () => {
    fc.assert(
      fc.property(change, ({ before, others, kept }) => {
        const stayed = before.filter((_, place) => kept[place] === true)
        const urls = new Set(stayed.map(({ url }) => url))
        const after = [...others.filter(({ url }) => !urls.has(url)), ...stayed]
        expect(readSearchIndex(write(after, write(before)))).toEqual(readSearchIndex(write(after)))
      }),
      { ...seed, numRuns: figure(40, 1000), examples: [[moved]] },
    )
  })

  it('is the same when a prefix of few words starts or stops to be in many documents', () => {
    const posts = Array.from({ length: 400 }, (_, number) => samplePost(number, { body: 'tidea tideb tidec' }))
    for (const [before, after] of [
      [posts, posts.slice(0, 300)],
      [posts.slice(100), posts],
      [posts, posts.toSpliced(7, 1)],
    ] as const)
      expect(readSearchIndex(write(after, write(before)))).toEqual(readSearchIndex(write(after)))
  })

  it('does not read unchanged texts again', () => {
    const posts = Array.from({ length: 5 }, (_, number) => samplePost(number, { body: `tidings ${number}` }))
    const earlier = write(posts)
    // An unchanged text keeps its stored postings, even wrong ones.
    const db = new DatabaseSync(earlier)
    const wrong = packHits(Uint32Array.from([0, 1]))
    db.prepare("update postings set hits = ? where term = 'tidings'").run(wrong)
    db.close()
    const hits = new Map(readPostings(write([...posts, samplePost(9, { body: 'new' })], earlier)))
    expect([hits.get('tidings'), hits.get('new')]).toEqual([
      [0, 1],
      [5, 1],
    ])
  })

  it('is made from nothing if the earlier index is missing or damaged', () => {
    const posts = Array.from({ length: 5 }, (_, number) => samplePost(number, { body: `tidings ${number}` }))
    const whole = readSearchIndex(write(posts))
    const damaged = write(posts.slice(1))
    writeFileSync(damaged, readFileSync(damaged).fill(0xff, 4096))
    const emptied = write(posts)
    writeFileSync(emptied, '')
    for (const earlier of [join(folder, 'nothing.db'), damaged, emptied])
      expect(readSearchIndex(write(posts, earlier))).toEqual(whole)
  })
})
