import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readSecret } from '../../src/storage/read-secret.ts'
import { writeAtomically } from '../../src/storage/write-atomically.ts'

/** What exFAT, shares of Windows and most buckets that are mounted answer. */
const refused = () => Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farthing-links-'))
  vi.spyOn(fs, 'linkSync').mockImplementation(() => {
    throw refused()
  })
  vi.spyOn(fs.promises, 'link').mockImplementation(() => Promise.reject(refused()))
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true })
})

it('makes the secret of an installation where the file system has no links, and keeps it', () => {
  const file = join(folder, 'some.key')
  const secret = readSecret(file)
  expect(secret).toHaveLength(43)
  expect([readSecret(file), readdirSync(folder)]).toEqual([secret, ['some.key']])
})

it('replaces no file that is not to be replaced where the file system has no links', async () => {
  const [there, fresh] = [join(folder, 'there'), join(folder, 'fresh')]
  writeFileSync(there, 'mine')
  const write = (path: string) => writeAtomically(path, 'bought', { mode: 0o600, exclusive: true })
  await expect(write(there)).rejects.toThrow('EEXIST')
  await write(fresh)
  expect([readFileSync(there, 'utf8'), readFileSync(fresh, 'utf8')]).toEqual(['mine', 'bought'])
  expect(readdirSync(folder).toSorted()).toEqual(['fresh', 'there'])
})
