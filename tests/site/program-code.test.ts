import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from '../support/running-site.ts'

const { programs, entry } = buildFiles(testBuild())
const read = (file: string): string => readFileSync(file, 'utf8')

/** The files that a program is made of before anybody asks it for anything: what is imported as it starts. */
function loadedBy(program: string): string[] {
  const files = [join(programs, `${program}.mjs`)]
  for (const file of files) {
    const imported = [...read(file).matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.mjs)["'`]/g)]
    const added = imported.map(([, name = '']) => join(programs, name)).filter((name) => !files.includes(name))
    files.push(...new Set(added))
  }
  return files
}

it('is ASCII, for one other character makes a file take twice the memory: in templates of pages, write it as an entity', () => {
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

it('to reach a storage is loaded where one is set, and nowhere else', () => {
  const signs = (file: string) => read(file).includes('AWS4-HMAC-SHA256')
  expect(readdirSync(programs).filter((name) => signs(join(programs, name)))).toHaveLength(1)
  for (const program of ['site', 'game-host', 'backup-worker'])
    expect(loadedBy(program).filter(signs), program).toEqual([])
})

it('is free of PostgreSQL until somebody names a database', () => {
  const hasClient = (file: string): boolean => read(file).includes('pg_is_in_recovery')
  // One for the game host, which is bundled by itself, and one for all others.
  expect(readdirSync(programs).filter((name) => hasClient(join(programs, name)))).toHaveLength(2)
  for (const program of ['site', 'game-host']) expect(loadedBy(program).filter(hasClient)).toEqual([])
})

it('of the game host is in few files, because each takes as long to read as the code of many functions', () => {
  const { length } = loadedBy('game-host')
  expect(length).toBeGreaterThan(1)
  expect(length).toBeLessThanOrEqual(12)
})

it('of the game host has neither the curves of signatures nor questions to the chain that nobody asks', () => {
  const code = loadedBy('game-host').map(read).join('\n')
  expect(code).toContain('getTransactionReceipt')
  for (const unused of ['weierstrass', 'watchPendingTransactions', 'simulateCalls']) expect(code).not.toContain(unused)
})
