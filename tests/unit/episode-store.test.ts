import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Episode, NarratedPost } from '../../src/narration/episodes/episode.ts'
import { type EpisodeStore, openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'episodes-'))
const posts: NarratedPost[] = ['new', 'old'].map((slug) => ({ slug, storageKey: `${slug}-2` }))
const mp3 = Buffer.from('ID3 sound')

const episode = (storageKey: string, createdAt = '2026-01-01T00:00:00.000Z'): Episode => ({
  storageKey,
  slug: storageKey.slice(0, storageKey.lastIndexOf('-')),
  title: 'A post',
  language: 'en',
  voiceId: 'English_SereneWoman',
  durationMs: 4000,
  sizeBytes: mp3.byteLength,
  createdAt,
  cues: [{ text: 'A post.', startMs: 200, endMs: 900 }],
  chapters: [{ title: 'A post', startMs: 200 }],
})

const opened: EpisodeStore[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})
const open = async (folder: string, published = posts) => {
  const store = await openEpisodeStore(folder, published)
  opened.push(store)
  return store
}
const keysOf = (store: EpisodeStore) => store.all().map(({ storageKey }) => storageKey)

describe('the stored narrations', () => {
  it('are found by post and by key, newest post first, in this process and after a restart', async () => {
    const folder = newFolder()
    const store = await open(folder)
    expect([store.find('old'), store.findFile('old-2'), store.all()]).toEqual([undefined, undefined, []])
    const before = store.version()
    await store.keep(episode('old-2'), mp3)
    await store.keep(episode('new-2'), mp3)
    expect(store.version()).toBeGreaterThan(before)
    for (const each of [store, await open(folder)]) {
      expect(each.find('old')).toEqual(episode('old-2'))
      expect(keysOf(each)).toEqual(['new-2', 'old-2'])
      expect(each.findFile('new-2')).toEqual({ path: join(folder, 'new-2.mp3'), sizeBytes: mp3.byteLength })
    }
    expect(readFileSync(join(folder, 'new-2.mp3'))).toEqual(mp3)
  })

  it('follow the published posts: a new post is available at once, a withdrawn one no more', async () => {
    const store = await open(newFolder())
    for (const key of ['old-2', 'new-2', 'next-1']) await store.keep(episode(key), mp3)
    const before = store.version()
    const next = { slug: 'next', storageKey: 'next-1' }
    await store.publish([next, ...posts.filter(({ slug }) => slug !== 'new')])
    expect(keysOf(store)).toEqual(['next-1', 'old-2'])
    expect([store.find('new'), store.findFile('new-2')]).toEqual([undefined, undefined])
    expect(store.version()).toBeGreaterThan(before)
    await store.publish([...posts.toReversed(), next])
    expect(keysOf(store)).toEqual(['old-2', 'new-2', 'next-1'])
  })

  it('of an earlier text are used until the current one exists, and stay available under their keys', async () => {
    const store = await open(newFolder())
    await store.keep(episode('new-1', '2026-01-02T00:00:00.000Z'), mp3)
    await store.keep(episode('new-0', '2026-01-01T00:00:00.000Z'), mp3)
    expect(store.find('new')?.storageKey).toBe('new-1')
    await store.keep(episode('new-2', '2025-01-01T00:00:00.000Z'), mp3)
    expect([keysOf(store), store.findFile('new-1')]).toEqual([['new-2'], expect.anything()])
  })

  it('of an unpublished post are not found', async () => {
    const folder = newFolder()
    await (await open(folder)).keep(episode('old-2'), mp3)
    const store = await open(folder, posts.slice(0, 1))
    expect([store.find('old'), store.findFile('old-2'), store.all()]).toEqual([undefined, undefined, []])
  })

  it('of another process are noticed without a restart', async () => {
    const folder = newFolder()
    const [mine, other] = [await open(folder), await open(folder)]
    await other.keep(episode('new-2'), mp3)
    await expect.poll(() => mine.find('new')).toEqual(episode('new-2'))
    const { version } = mine
    const before = version()
    await mine.refresh()
    expect(version()).toBe(before)
  })

  it('are ignored if their files are damaged, incomplete or of another size', async () => {
    const folder = newFolder()
    const text = JSON.stringify(episode('new-2'))
    const cases: [string, string | Buffer][][] = [
      [['new-2.json', text]],
      [['new-2.mp3', mp3]],
      [
        ['new-2.mp3', mp3],
        ['new-2.json', text.slice(0, 50)],
      ],
      [
        ['new-2.mp3', mp3.subarray(1)],
        ['new-2.json', text],
      ],
      [
        ['new-2.mp3', mp3],
        ['new-2.json', JSON.stringify(episode('new-1'))],
      ],
      [
        ['new-2.mp3', mp3],
        ['new-2.json', '{"storageKey":"new-2"}'],
      ],
      [
        ['.new-2.mp3', mp3],
        ['.new-2.json', text],
      ],
    ]
    for (const files of cases) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      for (const [name, content] of files) writeFileSync(join(folder, name), content)
      expect((await open(folder)).all()).toEqual([])
    }
    mkdirSync(join(folder, 'new-1.json'))
    const store = await open(folder)
    await store.keep(episode('new-2'), mp3)
    expect(keysOf(store)).toEqual(['new-2'])
  })

  it('are read again later if reading failed at first', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'new-2.mp3'), mp3)
    writeFileSync(join(folder, 'new-2.json'), '{')
    const store = await open(folder)
    // The modification time of the folder itself stays the same.
    writeFileSync(join(folder, 'new-2.json'), JSON.stringify(episode('new-2')))
    await expect.poll(() => store.find('new')).toBeDefined()
  })

  it('are gone when somebody removes the folder, and can be made again', async () => {
    const folder = newFolder()
    const store = await open(folder)
    await store.keep(episode('new-2'), mp3)
    rmSync(folder, { recursive: true })
    await store.refresh()
    expect(store.all()).toEqual([])
    await store.removeLeftovers()
    await store.keep(episode('old-2'), mp3)
    expect(keysOf(store)).toEqual(['old-2'])
  })

  it('of earlier texts are removed a while after the current one exists, and no others', async () => {
    const folder = newFolder()
    const store = await open(folder)
    for (const key of ['old-1', 'old-2', 'new-1', 'gone-1'])
      await store.keep(episode(key, `2026-01-0${key.at(-1)}T00:00:00.000Z`), mp3)
    await store.removeReplaced(Date.parse('2026-01-02T00:00:00.000Z'))
    expect(store.findFile('old-1')).toBeDefined()
    await store.removeReplaced(Date.parse('2026-01-02T00:00:00.001Z'))
    expect([store.findFile('old-1'), keysOf(store)]).toEqual([undefined, ['new-1', 'old-2']])
    expect(readdirSync(folder).sort()).toEqual(
      ['gone-1', 'new-1', 'old-2'].flatMap((key) => [`${key}.json`, `${key}.mp3`]),
    )
  })

  it('have no files beside them once leftovers are removed', async () => {
    const folder = newFolder()
    const store = await open(folder)
    await store.keep(episode('new-2'), mp3)
    for (const name of ['.old-2.mp3.0123456789ab.part', 'old-2.mp3', 'notes.txt'])
      writeFileSync(join(folder, name), 'x')
    await store.removeLeftovers()
    expect(readdirSync(folder).toSorted()).toEqual(['new-2.json', 'new-2.mp3', 'notes.txt'])
  })
})
