import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Episode, NarratedPost } from '../../src/narration/episodes/episode.ts'
import { type EpisodeStore, openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import { openStoredEpisodes } from '../../src/narration/episodes/stored-episodes.ts'
import type { ObjectStore } from '../../src/storage/objects/object-store.ts'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'

const posts: NarratedPost[] = ['new', 'old'].map((slug) => ({ slug, storageKey: `${slug}-2` }))
const mp3 = randomBytes(5000)
const episode = (storageKey: string, createdAt = '2026-01-01T00:00:00.000Z'): Episode => ({
  storageKey,
  slug: storageKey.slice(0, storageKey.lastIndexOf('-')),
  title: 'A post',
  language: 'en',
  voiceId: 'v',
  durationMs: 4000,
  sizeBytes: mp3.byteLength,
  createdAt,
  cues: [],
  chapters: [],
})

let server: ObjectServer
beforeAll(async () => {
  server = await startObjectServer()
})
const opened: EpisodeStore[] = []
afterEach(() => {
  server.heal()
  for (const store of opened.splice(0)) store.close()
})
afterAll(() => server.stop())

const newFolder = () => mkdtempSync(join(tmpdir(), 'episodes-'))
const objectsOf = (prefix: string): ObjectStore => {
  const { storage } = readConfig(server.env(prefix))
  if (!storage) throw new Error('no storage')
  return openObjectStore(storage, { attemptMs: 30_000, withinMs: 60_000 })
}
/** Opens a store on a machine without local files. */
async function open(prefix: string, published = posts, folder = newFolder()) {
  const store = openStoredEpisodes({ objects: objectsOf(prefix), folder }, [])
  opened.push(store)
  await store.publish(published)
  return store
}
async function hear(store: EpisodeStore, storageKey: string, start: number, end: number): Promise<Buffer> {
  const stream = await store.findFile(storageKey)?.open?.({ start, end })
  return stream ? buffer(stream) : Buffer.alloc(0)
}
const keysOf = (store: EpisodeStore) => store.all().map(({ storageKey }) => storageKey)

describe('narrations in the storage', () => {
  it('are found by post and by key on every machine, and read by range', async () => {
    const [mine, other] = [await open('shared'), await open('shared')]
    expect([mine.find('old'), mine.findFile('old-2'), mine.all()]).toEqual([undefined, undefined, []])
    await mine.keep(episode('old-2'), mp3)
    await mine.keep(episode('new-2'), mp3)
    await other.refresh()
    for (const each of [mine, other, await open('shared')]) {
      expect(each.find('old')).toEqual(episode('old-2'))
      expect(keysOf(each)).toEqual(['new-2', 'old-2'])
      const sound = each.findFile('new-2')
      expect(sound?.sizeBytes).toBe(mp3.length)
      expect(await hear(each, 'new-2', 3, 9)).toEqual(mp3.subarray(3, 10))
    }
    expect(server.requests.filter(({ query }) => query.has('list-type'))).toEqual([])
  })

  it('follow the published posts, without fetching unchanged ones again', async () => {
    const store = await open('published')
    for (const key of ['old-2', 'new-1', 'next-1']) await store.keep(episode(key), mp3)
    expect(keysOf(store)).toEqual(['new-1', 'old-2'])
    await store.keep(episode('new-2', '2025-01-01T00:00:00.000Z'), mp3)
    expect([keysOf(store), store.findFile('new-1')]).toEqual([['new-2', 'old-2'], expect.anything()])
    await store.publish([{ slug: 'next', storageKey: 'next-1' }, ...posts.slice(1)])
    expect([keysOf(store), store.find('new'), store.findFile('new-2')]).toEqual([
      ['next-1', 'old-2'],
      undefined,
      undefined,
    ])
    const before = [store.version(), server.requests.length]
    await store.refresh()
    expect([store.version(), server.requests.length]).toEqual([before[0], (before[1] ?? 0) + 1])
  })

  it('made on two machines at the same time are all kept', async () => {
    const machines = await Promise.all([1, 2, 3].map(() => open('race')))
    const keys = ['new-1', 'new-2', 'old-2']
    await Promise.all(machines.map((store, index) => store.keep(episode(keys[index] ?? ''), mp3)))
    const seen = await open('race')
    expect(keys.map((key) => seen.findFile(key)?.sizeBytes)).toEqual(keys.map(() => mp3.length))
  })

  it('stay available while the storage is down, delay nobody, and are not made again for that', async () => {
    const store = await open('away')
    await store.keep(episode('new-2'), mp3)
    server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
    await expect(store.refresh()).rejects.toThrow('does not allow this to the key')
    await expect(store.removeLeftovers()).rejects.toThrow('does not allow this to the key')
    await store.publish(posts)
    expect(keysOf(store)).toEqual(['new-2'])
    const late = await open('away')
    expect(late.all()).toEqual([])
    server.heal()
    await late.refresh()
    expect(keysOf(late)).toEqual(['new-2'])
  })

  it('in the local folder are moved to the storage by the process that narrates', async () => {
    const folder = newFolder()
    const before = await openEpisodeStore(folder, posts)
    await before.keep(episode('new-2'), mp3)
    before.close()
    const store = await open('moved', posts, folder)
    await store.removeLeftovers()
    expect([keysOf(store), readdirSync(folder)]).toEqual([['new-2'], []])
    expect(await hear(store, 'new-2', 0, mp3.length - 1)).toEqual(mp3)
  })

  it('of an interrupted writer are listed if they are complete, and removed if they never will be', async () => {
    const store = await open('cut')
    await store.keep(episode('new-2'), mp3)
    const objects = objectsOf('cut')
    await objects.put('audio/old-2.mp3', mp3)
    await objects.put('audio/old-2.json', Buffer.from(JSON.stringify(episode('old-2'))))
    await objects.put('audio/alone-1.mp3', mp3)
    await objects.put('audio/young-1.mp3', mp3)
    const longAgo = Date.now() / 1000 - 86_400
    utimesSync(server.fileOf('cut/audio/alone-1.mp3'), longAgo, longAgo)
    await store.removeLeftovers()
    expect(keysOf(store)).toEqual(['new-2', 'old-2'])
    const left = server.keys().filter((key) => key.startsWith('cut/'))
    expect(left).toEqual(
      ['index.json', 'new-2.json', 'new-2.mp3', 'old-2.json', 'old-2.mp3', 'young-1.mp3'].map(
        (name) => `cut/audio/${name}`,
      ),
    )
  })

  it('of earlier texts are removed a while after the current one exists, and no others', async () => {
    const store = await open('replaced')
    for (const key of ['old-1', 'old-2', 'new-1', 'gone-1'])
      await store.keep(episode(key, `2026-01-0${key.at(-1)}T00:00:00.000Z`), mp3)
    await store.removeReplaced(Date.parse('2026-01-02T00:00:00.000Z'))
    expect(store.findFile('old-1')).toBeDefined()
    await store.removeReplaced(Date.parse('2026-01-02T00:00:00.001Z'))
    expect([store.findFile('old-1'), keysOf(store)]).toEqual([undefined, ['new-1', 'old-2']])
    const kept = await Array.fromAsync(objectsOf('replaced').list('audio/'), ({ key }) => key.replace('audio/', ''))
    const sounds = ['gone-1', 'new-1', 'old-2'].flatMap((key) => [`${key}.json`, `${key}.mp3`])
    expect(kept.toSorted()).toEqual(['index.json', ...sounds].toSorted())
  })
})
