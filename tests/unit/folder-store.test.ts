import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFolderStore } from '../../src/backups/folder-store.ts'

it('finishes a write below the root of the file system', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'folder-store-'))
  const file = join(folder, 'a/file')
  async function* content() {
    yield Buffer.from('text')
  }
  await openFolderStore('/').write(file.slice(1), content())
  expect(readFileSync(file, 'utf8')).toBe('text')
  rmSync(folder, { recursive: true })
})
