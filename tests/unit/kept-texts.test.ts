import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { openKeptTexts } from '../../src/build/kept-texts.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { readKeptTexts } from '../support/read-kept-texts.ts'

let folders: string[]
beforeEach(() => {
  folders = ['a', 'b', 'c'].map(() => mkdtempSync(join(tmpdir(), 'kept-texts-')))
})
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})
const folder = (number: number): string => folders[number] ?? ''

/** A build that derives words and HTML from these texts, and returns which ones it had to derive. */
async function build(to: string, earlier: string | undefined, texts: Readonly<Record<string, string>>) {
  const kept = openKeptTexts()
  kept.open(earlier)
  const words = kept.openKind({ name: 'words', schema: z.array(z.string()) })
  const html = kept.openKind({ name: 'html', schema: z.string(), isKept: ({ filePath }) => filePath !== 'parts' })
  const made: string[] = []
  const found: unknown[] = []
  for (const [filePath, text] of Object.entries(texts)) {
    const source = { filePath, digest: text }
    const make = async <T>(name: string, value: T): Promise<T> => {
      made.push(`${name} of ${filePath}`)
      return value
    }
    const makeWords = () => make('words', text.split(' '))
    found.push(await words(source, makeWords), await words(source, makeWords))
    found.push(await html(source, () => make('html', `<p>${text}`)))
  }
  kept.write(to)
  return { made, found }
}

const rowsOf = (to: string) => readKeptTexts(buildFiles(to).texts)

it('derives each text once per build, and reads it in the next', async () => {
  const texts = { a: 'one two', b: 'three' }
  const first = await build(folder(0), undefined, texts)
  expect(first.made).toEqual(['words of a', 'html of a', 'words of b', 'html of b'])
  const second = await build(folder(1), folder(0), texts)
  expect(second.made).toEqual([])
  expect(second.found).toEqual(first.found)
  expect(rowsOf(folder(1))).toEqual(rowsOf(folder(0)))
})

it('derives again what changed or came back, and keeps nothing of what was removed', async () => {
  await build(folder(0), undefined, { a: 'one two', b: 'three', c: 'four' })
  const now = { a: 'one two', b: 'other', d: 'new' }
  const { made } = await build(folder(1), folder(0), now)
  expect(made).toEqual(['words of b', 'html of b', 'words of d', 'html of d'])
  await build(folder(2), undefined, now)
  expect(rowsOf(folder(1))).toEqual(rowsOf(folder(2)))
})

it('needs no space for removed texts beyond that of current ones', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, place) => [`file-${place}`, 'word '.repeat(500)]))
  await build(folder(0), undefined, many)
  await build(folder(1), folder(0), { 'file-7': many['file-7'] ?? '' })
  await build(folder(2), undefined, { 'file-7': many['file-7'] ?? '' })
  const sizes = [0, 1, 2].map((number) => statSync(buildFiles(folder(number)).texts).size)
  expect(sizes[1]).toBeLessThanOrEqual(2 * (sizes[2] ?? 0))
  expect(sizes[0]).toBeGreaterThan(20 * (sizes[1] ?? 0))
})

it('derives in every build what also depends on other files', async () => {
  await build(folder(0), undefined, { parts: 'one' })
  expect((await build(folder(1), folder(0), { parts: 'one' })).made).toEqual(['html of parts'])
})

it('derives everything if the earlier build has no such file', async () => {
  expect((await build(folder(1), folder(0), { a: 'one' })).made).toEqual(['words of a', 'html of a'])
})

it('derives everything if the earlier build is damaged', async () => {
  const texts = Object.fromEntries(Array.from({ length: 300 }, (_, place) => [`file-${place}`, 'word '.repeat(50)]))
  await build(folder(0), undefined, texts)
  const file = buildFiles(folder(0)).texts
  const bytes = readFileSync(file)
  const overwritten = (from: number, to: number) => Buffer.from(bytes).fill(7, from, to)
  const half = bytes.subarray(0, bytes.length / 2)
  // Damage in the table's first page, and in pages that hold only some of its rows.
  for (const damaged of [Buffer.from('no database'), half, overwritten(5000, 30_000), overwritten(60_000, 90_000)]) {
    writeFileSync(file, damaged)
    expect((await build(folder(1), folder(0), texts)).made).toHaveLength(600)
  }
})

it('hands nothing to a later build that is valid for one build only', async () => {
  const kept = openKeptTexts()
  kept.open(undefined)
  const code = kept.openKind({ name: 'code', schema: z.string(), isForThisBuild: true })
  const source = { filePath: 'a', digest: 'one' }
  expect(await code(source, async () => 'first')).toBe('first')
  expect(await code(source, async () => 'second')).toBe('first')
  kept.write(folder(0))
  expect(rowsOf(folder(0))).toEqual([])
})

it('keeps nothing until it is opened, because texts change during development', async () => {
  const words = openKeptTexts().openKind({ name: 'words', schema: z.string() })
  const source = { filePath: 'a', digest: 'one' }
  expect(await words(source, async () => 'first')).toBe('first')
  expect(await words(source, async () => 'second')).toBe('second')
})

it('knows the digests of the private texts of the earlier build only if it was made from the same posts', () => {
  const note = (to: string, earlier: string | undefined, digest: string) => {
    const kept = openKeptTexts()
    kept.open(earlier)
    const found = kept.findDigests(digest)
    kept.keepDigests(digest, { text: `of ${digest}` })
    kept.write(to)
    return found
  }
  expect(note(folder(0), undefined, 'x')).toBeUndefined()
  expect(note(folder(1), folder(0), 'x')).toEqual({ folder: folder(0), digests: { text: 'of x' } })
  expect(note(folder(2), folder(1), 'y')).toBeUndefined()
  expect(openKeptTexts().findDigests('x')).toBeUndefined()
})
