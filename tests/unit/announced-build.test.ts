import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { announceBuild, readAnnouncement, watchAnnouncements } from '../../src/storage/announced-build.ts'

let dataDir: string
let stop = (): void => {}
const heard: string[] = []
const faults: string[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'announced-'))
  heard.length = 0
  faults.length = 0
})
afterEach(() => {
  stop()
  rmSync(dataDir, { recursive: true })
})

const watch = async ({ before } = { before: readAnnouncement(dataDir) }) => {
  const listener = { onBuild: (name: string) => heard.push(name), onFault: (error: unknown) => faults.push(`${error}`) }
  stop = await watchAnnouncements(dataDir, { before, ...listener })
}
const write = (text: string) => {
  mkdirSync(join(dataDir, 'published'), { recursive: true })
  writeFileSync(join(dataDir, 'published/build.json'), text)
}

it('reports each announced build by the name of its folder, and the same one again', async () => {
  await watch()
  for (const name of ['one', 'two', 'one']) {
    await announceBuild(dataDir, `/anywhere/${name}`)
    await expect.poll(() => heard.at(-1)).toBe(name)
  }
  expect([heard, faults]).toEqual([['one', 'two', 'one'], []])
})

it('does not report builds announced before it started', async () => {
  await announceBuild(dataDir, '/builds/old')
  await watch()
  await announceBuild(dataDir, '/builds/new')
  await expect.poll(() => heard).toEqual(['new'])
})

it('reports a build that was announced while it was starting', async () => {
  const before = readAnnouncement(dataDir)
  await announceBuild(dataDir, '/builds/early')
  await watch({ before })
  expect(heard).toEqual(['early'])
})

it('reports a build again whose announcement could not be read for a while', async () => {
  await announceBuild(dataDir, '/builds/good')
  await watch()
  const file = join(dataDir, 'published/build.json')
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  await expect.poll(() => faults).toHaveLength(1)
  rmSync(file, { recursive: true })
  renameSync(`${file}.away`, file)
  await expect.poll(() => heard).toEqual(['good'])
})

it('reports a fault again that was gone in between', async () => {
  await watch()
  for (const times of [1, 2]) {
    write('')
    await expect.poll(() => faults).toHaveLength(times)
    await announceBuild(dataDir, '/builds/good')
    await expect.poll(() => heard).toHaveLength(times)
  }
})

it.each(['', '{"build":"../elsewhere","announcedAt":"2026-11-23T00:00:00Z"}', '{"build":"a/b"}', 'null'])(
  'reports once that it cannot read %j, and names no build for it',
  async (text) => {
    await watch()
    write(text)
    await expect.poll(() => faults).toHaveLength(1)
    await announceBuild(dataDir, '/builds/good')
    await expect.poll(() => heard).toEqual(['good'])
    expect(faults).toHaveLength(1)
  },
)
