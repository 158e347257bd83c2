import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from '../support/running-site.ts'

const { programs, entry } = buildFiles(testBuild())
const read = (file: string): string => readFileSync(file, 'utf8')

/** The files that a program loads at start: its entry and all static imports. */
function loadedBy(program: string): string[] {
  const files = [join(programs, `${program}.mjs`)]
  for (const file of files) {
    const imported = [...read(file).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.mjs)["'`]/g)]
    const added = imported.map(([, name = '']) => join(programs, name)).filter((name) => !files.includes(name))
    files.push(...new Set(added))
  }
  return files
}

it('is ASCII, because one other character doubles the memory of a file: write it as an entity in page templates', () => {
  const files = [entry, ...readdirSync(programs).map((name) => join(programs, name))]
  const others = files.flatMap((file) =>
    [...read(file).matchAll(/[^\0-\x7f]/g)].map(({ index }) => [file, index] as const),
  )
  expect(others.map(([file, index]) => `${basename(file)}: ${read(file).slice(index - 40, index + 10)}`)).toEqual([])
})

it.each([
  ['site', 1700],
  ['game-host', 1350],
] as const)('of the %s is at most %d KB when it starts', (program, most) => {
  const kb = loadedBy(program).map((file) => Buffer.byteLength(read(file)) / 1024)
  expect(kb.reduce((sum, each) => sum + each, 0)).toBeLessThan(most)
})

it('for object storage is loaded only when storage is configured', () => {
  const signs = (file: string) => read(file).includes('AWS4-HMAC-SHA256')
  expect(readdirSync(programs).filter((name) => signs(join(programs, name)))).toHaveLength(1)
  for (const program of ['site', 'game-host', 'backup-worker'])
    expect(loadedBy(program).filter(signs), program).toEqual([])
})

it('for PostgreSQL is loaded only when a database is configured', () => {
  const hasClient = (file: string): boolean => read(file).includes('pg_is_in_recovery')
  // One copy is in the bundle of the game host, and one is shared by all other programs.
  expect(readdirSync(programs).filter((name) => hasClient(join(programs, name)))).toHaveLength(2)
  for (const program of ['site', 'game-host']) expect(loadedBy(program).filter(hasClient)).toEqual([])
})

it('of the game host is in few files, because opening a file costs as much as loading many functions', () => {
  const { length } = loadedBy('game-host')
  expect(length).toBeGreaterThan(1)
  expect(length).toBeLessThanOrEqual(12)
})

it('of the game host contains no elliptic curves and no unused chain queries', () => {
  const code = loadedBy('game-host').map(read).join('\n')
  expect(code).toContain('getTransactionReceipt')
  for (const unused of ['weierstrass', 'watchPendingTransactions', 'simulateCalls']) expect(code).not.toContain(unused)
})
