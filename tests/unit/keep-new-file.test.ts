import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepNewFile } from '../../src/commands/keep-new-file.ts'
import { toSaidText } from '../../src/core/said-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'farthing-kept-'))
const file = join(folder, 'sales.csv')
afterAll(() => rmSync(folder, { recursive: true }))

/** Yields lines until the disk is full. */
async function* write() {
  yield 'time,amount\n'
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}

it('leaves no partial file after a failed write, which would be mistaken for a whole one', async () => {
  const failed: unknown = await keepNewFile(file, write()).catch((error: unknown) => error)
  expect(toSaidText(failed)).toBe(`${file} cannot be written: ENOSPC: no space left on device, write; free some space`)
  expect(existsSync(file)).toBe(false)
  await keepNewFile(file, 'time,amount\n')
  await expect(keepNewFile(file, 'other')).rejects.toThrow(`${file} exists already; name another file`)
  expect(readFileSync(file, 'utf8')).toBe('time,amount\n')
})
