import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { keepFiles } from '../../src/http/static/keep-files.ts'
import { findStaticFile } from '../../src/http/static/static-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'farthing-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

it('reads a file once while it is in use, and evicts the least recently used one', () => {
  const kept = keepFiles(3000)
  const [first, second, third] = ['a', 'b', 'c'].map((name) => write(name, name.repeat(1000)))
  if (!first || !second || !third) throw new Error('three files were written')
  for (const path of [first, second, first, third]) kept(path)
  for (const path of [first, second, third]) writeFileSync(path, 'new')
  expect([first, third, second].map((path) => kept(path)?.toString().slice(0, 3))).toEqual(['aaa', 'ccc', 'new'])
})

it('keeps exactly the bytes of the file, not a slice of a shared buffer', () => {
  expect(keepFiles()(write('small', 'small'))?.buffer.byteLength).toBe(5)
})

it('has no entry for a file that cannot be read', () => {
  expect(keepFiles()(join(folder, 'absent'))).toBeUndefined()
})

it('refuses a build with a changed file', () => {
  write('page.html', 'cut of')
  const entry = { file: 'page.html', type: 'text/html', cache: 'no-cache', etag: '"1"', size: 7, headers: {} }
  const find = () =>
    findStaticFile({ client: folder, kept: keepFiles() }, entry, makeSecurityHeaders('http://farthing.test'))
  expect(find).toThrow('page.html is not as it was built')
})
