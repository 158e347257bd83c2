import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFinishedNarrations } from '../../src/narration/narrator/finished-narrations.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'farthing-finished-'))
const narration = (fill: number, bytes = 1000) => ({
  mp3: new Uint8Array(bytes).fill(fill),
  durationMs: 1234,
  voiceId: 'English_CalmMan',
  cues: [],
  chapters: [],
})
const key = (letter: string) => letter.repeat(64)

describe('finished narrations', () => {
  it('are found unchanged, even after a restart', async () => {
    const folder = newFolder()
    const first = await openFinishedNarrations(folder, 1e6)
    expect(await first.find(key('a'))).toBeUndefined()
    await first.keep(key('a'), narration(10))
    expect(await first.find(key('a'))).toEqual(narration(10))
    expect(await (await openFinishedNarrations(folder, 1e6)).find(key('a'))).toEqual(narration(10))
  })

  it('are never delivered truncated, changed, empty or under another name, and are removed then', async () => {
    for (const spoil of [
      (file: Buffer) => file.subarray(0, -1),
      (file: Buffer) => file.fill(1, file.length - 1),
      (file: Buffer) => Buffer.concat([file, Buffer.from('x')]),
      (file: Buffer) => file.subarray(file.indexOf('\n')),
      () => Buffer.alloc(0),
      () => Buffer.from('{}\n'),
    ]) {
      const folder = newFolder()
      const finished = await openFinishedNarrations(folder, 1e6)
      await finished.keep(key('a'), narration(10))
      const [name = ''] = readdirSync(folder)
      writeFileSync(join(folder, name), spoil(readFileSync(join(folder, name))))
      expect(await finished.find(key('a'))).toBeUndefined()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  it('are kept while they cannot be read, and are found again after that', async () => {
    const [folder, elsewhere] = [newFolder(), newFolder()]
    const finished = await openFinishedNarrations(folder, 1e6)
    await finished.keep(key('a'), narration(10))
    const path = join(folder, `${key('a')}.narration`)
    const moved = join(elsewhere, 'moved')
    renameSync(path, moved)
    symlinkSync(moved, path)
    renameSync(moved, `${moved}-for-now`)
    // A link to itself cannot be read, not even by root, and it is not a missing file.
    symlinkSync(moved, moved)
    await expect(finished.find(key('a'))).rejects.toThrow('ELOOP')
    renameSync(`${moved}-for-now`, moved)
    expect(await finished.find(key('a'))).toEqual(narration(10))
  })

  it('make room for new ones, least recently used first', async () => {
    const folder = newFolder()
    const finished = await openFinishedNarrations(folder, 3600)
    for (const letter of ['a', 'b', 'c']) await finished.keep(key(letter), narration(1))
    await finished.find(key('a'))
    await finished.keep(key('d'), narration(1))
    expect(await finished.find(key('b'))).toBeUndefined()
    for (const letter of ['a', 'c', 'd']) expect(await finished.find(key(letter))).toEqual(narration(1))
  })

  it('remember across a restart which was used least recently', async () => {
    const folder = newFolder()
    const finished = await openFinishedNarrations(folder, 1e6)
    for (const letter of ['a', 'b', 'c']) await finished.keep(key(letter), narration(1))
    for (const [index, letter] of ['b', 'c', 'a'].entries())
      utimesSync(join(folder, `${key(letter)}.narration`), index, index)
    const later = await openFinishedNarrations(folder, 3600)
    await later.keep(key('d'), narration(1))
    expect(await later.find(key('b'))).toBeUndefined()
    expect(await later.find(key('a'))).toEqual(narration(1))
  })

  it('of several processes share the capacity of their folder', async () => {
    const folder = newFolder()
    const maxBytes = 20_000
    const processes = await Promise.all([1, 2].map(() => openFinishedNarrations(folder, maxBytes)))
    for (let at = 0; at < 40; at += 1) {
      await processes[at % 2]?.keep(key(String.fromCharCode(97 + at)), narration(at))
      const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
      expect(bytes).toBeLessThan(maxBytes * 1.3)
    }
  })

  it('that exceed the whole capacity evict nothing', async () => {
    const finished = await openFinishedNarrations(newFolder(), 3600)
    await finished.keep(key('a'), narration(1))
    await finished.keep(key('b'), narration(2, 4000))
    expect(await finished.find(key('a'))).toEqual(narration(1))
    expect(await finished.find(key('b'))).toBeUndefined()
  })
})
