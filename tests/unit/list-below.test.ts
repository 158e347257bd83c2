import fs, { type Dirent, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listBelow } from '../../src/storage/list-below.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farthing-list-'))
  mkdirSync(join(folder, 'products'))
  writeFileSync(join(folder, 'products', 'p'), 'bought')
})
afterEach(() => {
  answer(readdir)
  rmSync(folder, { recursive: true })
})

const { readdir } = fs.promises
/** Replaces readdir of node:fs/promises. */
function answer(read: typeof readdir | ((path: string) => Promise<Dirent[]>)): void {
  Reflect.set(fs.promises, 'readdir', read)
  syncBuiltinESMExports()
}

it('lists a folder again if the system failed at an entry removed in between, as on NFS', async () => {
  const gone = Object.assign(new Error('ENOENT: no such file or directory, lstat'), {
    code: 'ENOENT',
    syscall: 'lstat',
  })
  let isFirst = true
  answer(async (path: string) => {
    if (isFirst) {
      isFirst = false
      throw gone
    }
    return readdirSync(path, { withFileTypes: true })
  })
  expect(await listBelow(folder)).toEqual([
    { path: 'products', isFile: false },
    { path: 'products/p', isFile: true },
  ])
})

it('lists a folder with hundreds of thousands of files', async () => {
  answer(async (path: string) => {
    const entries = readdirSync(path, { withFileTypes: true })
    return path === folder ? entries : entries.flatMap((entry) => Array<Dirent>(200_000).fill(entry))
  })
  expect(await listBelow(folder)).toHaveLength(200_001)
})
