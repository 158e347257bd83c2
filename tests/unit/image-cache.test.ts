import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openImageCache } from '../../src/images/image-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'image-cache-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const cache = openImageCache(folder)
const keep = (key: string) =>
  cache.findOrMake(key, async () => ({
    alt: key,
    files: [{ purpose: 'p', type: 'jpg', bytes: Buffer.from(key), width: 1, height: 1 }],
  }))

it('old pictures are removed and newer ones kept', async () => {
  const old = await keep('old')
  const before = new Date('2026-01-01T00:00:00Z')
  for (const { path } of old.files) utimesSync(dirname(path), before, before)
  await keep('new')
  await cache.prune(new Date())
  expect(['old', 'new'].map(cache.has)).toEqual([false, true])
})

it('a picture of which an interrupted removal left a part is made again', async () => {
  const { files } = await keep('part')
  rmSync(join(dirname(files[0]?.path ?? ''), 'files.json'))
  expect((await keep('part')).files.map(({ path }) => readFileSync(path, 'utf8'))).toEqual(['part'])
})

it('old pictures are removed while other programs with the same folder draw', async () => {
  let isDrawing = true
  const prune = async (): Promise<void> => {
    while (isDrawing) await cache.prune(new Date())
  }
  const draw = async (): Promise<void> => {
    for (let at = 0; at < 200; at += 1) await Promise.all([keep(`${at} a`), keep(`${at} b`), keep(`${at} c`)])
  }
  await Promise.all([prune(), draw().finally(() => (isDrawing = false))])
  expect(cache.has('199 c')).toBe(true)
})
