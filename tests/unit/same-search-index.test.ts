import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { searchHandover } from '../../src/build/search-handover.ts'
import { makeSearchIndex } from '../../src/build/search-index.ts'
import type { SearchDocument } from '../../src/search/search-document.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { readSearchIndex } from '../support/read-search-index.ts'
import { samplePost } from '../support/search-library.ts'

let folders: string[]
beforeEach(() => {
  folders = ['a', 'b'].map(() => mkdtempSync(join(tmpdir(), 'same-index-')))
})
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const posts = Array.from({ length: 5 }, (_, number) => samplePost(number, { body: `tidings ${number}` }))
let listed = 0
const list = async (): Promise<readonly SearchDocument[]> => {
  listed++
  return posts
}

/** Makes the index of two builds from the same posts; `harm` is done to that of the first one in between. */
async function makeTwice(harm: (search: string) => void) {
  const [first = '', second = ''] = folders
  searchHandover.give({ list, isSame: false })
  await makeSearchIndex(first)
  const before = readSearchIndex(buildFiles(first).search)
  harm(buildFiles(first).search)
  listed = 0
  searchHandover.give({ list, isSame: true })
  await makeSearchIndex(second, first)
  return { before, after: readSearchIndex(buildFiles(second).search) }
}

it('the index of a build from the same posts is copied, without listing what it contains', async () => {
  const { before, after } = await makeTwice(() => {})
  expect(after).toEqual(before)
  expect(listed).toBe(0)
})

it.each([
  ['missing', (search: string) => rmSync(search)],
  ['damaged', (search: string) => writeFileSync(search, readFileSync(search).fill(0xff, 4096))],
  ['no database', (search: string) => writeFileSync(search, 'x'.repeat(10_000))],
])('an index that is %s is made again', async (_, harm) => {
  const { before, after } = await makeTwice(harm)
  expect(after).toEqual(before)
  expect(listed).toBe(1)
})
