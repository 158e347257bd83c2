import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import nodeId3 from 'node-id3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import siteConfig from '../../site.config.ts'
import { checksum } from '../../src/core/checksum.ts'
import { type EpisodeStore, openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import type { ScannedPost } from '../../src/narration/episodes/media-scan.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { runMediaScan } from '../../src/site/media-scan-work.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'
import { openTestLedger } from '../support/test-databases.ts'

const post = (slug: string, contentMarkdown: string, language = 'en') => ({
  slug,
  title: `The post ${slug}`,
  author: 'An author',
  language,
  contentMarkdown,
})
const cover = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')

let folder: string
let db: LedgerDatabase
let store: EpisodeStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'media-scan-'))
  db = await openTestLedger()
})
afterEach(async () => {
  store.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const audio = () => join(folder, 'audio')

/** Writes the spoken texts of these posts, as a build does, and returns their storage keys. */
async function publish(...posts: Parameters<typeof writeSpokenPosts>[1][number][]) {
  writeSpokenPosts(folder, posts)
  const toNarrate = readPostsToNarrate(folder, { album: siteConfig.name })
  store = await openEpisodeStore(audio(), toNarrate)
  return toNarrate.map(({ storageKey }) => storageKey)
}

const scan = (options: { signal?: AbortSignal; skipReason?: string; onPost?: (post: ScannedPost) => void } = {}) =>
  runMediaScan({
    db,
    store,
    privateFolder: folder,
    signal: new AbortController().signal,
    threads: 2,
    niceness: 0,
    onPost: () => {},
    ...options,
  })

describe('a scan', () => {
  it('narrates what it can, and reports the outcome of every post', async () => {
    const keys = await publish(
      post('good', 'One sentence.'),
      post('stuck', 'Its file cannot be written.'),
      post('foreign', 'これは日本語です。', 'ja'),
      post('endless', '777,777 '.repeat(1180)),
      post('mislabelled', 'Das ist nicht Englisch, und es wird auch nicht so gelesen.'),
      post('last', 'Two words.'),
    )
    mkdirSync(join(audio(), `${keys[1]}.mp3`))
    const outcome = await scan()
    const result = outcome.is === 'ran' ? outcome.result : []
    expect(result).toEqual([
      { slug: 'good', state: 'narrated', storageKey: keys[0], durationSeconds: expect.any(Number) },
      { slug: 'stuck', state: 'failed', reason: expect.stringContaining('EISDIR') },
      { slug: 'foreign', state: 'skipped', reason: expect.stringContaining('speaks English') },
      { slug: 'endless', state: 'skipped', reason: expect.stringContaining('would last') },
      { slug: 'mislabelled', state: 'skipped', reason: expect.stringMatching(/German.*speaks English/) },
      { slug: 'last', state: 'narrated', storageKey: keys[5], durationSeconds: expect.any(Number) },
    ])
    const row = await db.selectFrom('job_run').selectAll().executeTakeFirstOrThrow()
    expect([row.job, row.state, JSON.parse(row.result ?? '')]).toEqual(['media-scan', 'succeeded', result])
    expect(store.all().map(({ slug }) => slug)).toEqual(['good', 'last'])
    expect(store.find('good')?.cues.map(({ text }) => text)).toEqual(['The post good', 'One sentence.'])
  })

  it("publishes an author's recording unchanged, in any language, even where narration is turned off", async () => {
    const mp3 = Buffer.from('not decoded here')
    writeFileSync(join(folder, 'own.mp3'), mp3)
    const cues = [{ text: 'これは日本語です。', startMs: 0, endMs: 900 }]
    const recording = { file: 'own.mp3', sha256: checksum(mp3), durationMs: 1000, cues, chapters: [] }
    const [key] = await publish({ ...post('own', 'これは日本語です。', 'ja'), recording }, post('quiet', 'Not read.'))
    const outcome = await scan({ skipReason: 'it is quiet' })
    expect(outcome).toMatchObject({ result: [{ state: 'narrated', storageKey: key }, { state: 'skipped' }] })
    expect(readFileSync(join(audio(), `${key}.mp3`)).equals(mp3)).toBe(true)
    expect(store.find('own')).toMatchObject({ isRecorded: true, durationMs: 1000, cues, language: 'ja' })
    expect(await scan()).toMatchObject({ result: [{ state: 'unchanged' }, { state: 'narrated' }] })
    expect(store.find('quiet')).not.toHaveProperty('isRecorded')
  })

  it('narrates a changed post again, keeps its old narration until then, and leaves the other posts alone', async () => {
    await publish(post('one', 'One.'), post('two', 'Two.'))
    await scan()
    store.close()
    const [one, two] = await publish(post('one', 'One, changed.'), post('two', 'Two.'))
    expect([store.find('one')?.storageKey === one, store.find('one')?.title]).toEqual([false, 'The post one'])
    const outcome = await scan()
    expect(outcome).toMatchObject({ result: [{ state: 'narrated' }, { state: 'unchanged', storageKey: two }] })
    expect(store.find('one')?.storageKey).toBe(one)
  })

  it('puts title, author, site name and cover into the file', async () => {
    mkdirSync(join(folder, 'covers'))
    writeFileSync(join(folder, 'covers', 'one.jpg'), cover)
    const [key] = await publish(post('one', 'One.\n\n## Part\n\nTwo.'))
    await scan()
    const tag = nodeId3.read(readFileSync(join(audio(), `${key}.mp3`)))
    expect([tag.title, tag.artist, tag.album]).toEqual(['The post one', 'An author', siteConfig.name])
    expect(tag.comment?.text).toBe('Spoken by a synthetic voice.')
    expect(tag.chapter?.map(({ tags }) => tags?.title)).toEqual(['The post one', 'Part'])
    expect(tag.image).toMatchObject({ mime: 'image/jpeg', imageBuffer: cover })
    expect(store.find('one')?.chapters.map(({ title }) => title)).toEqual(['The post one', 'Part'])
  })

  it('that is stopped keeps finished narrations, and the next one continues from there', async () => {
    await publish(post('one', 'One.'), post('two', 'Two. '.repeat(50)), post('three', 'Three.'))
    const stop = new AbortController()
    const stopped = await scan({ signal: stop.signal, onPost: () => setTimeout(() => stop.abort(), 100) })
    expect([stopped.is, store.all().length]).toEqual(['stopped', 1])
    const outcome = await scan()
    expect(outcome.is === 'ran' && outcome.result.map(({ state }) => state)).toEqual([
      'unchanged',
      'narrated',
      'narrated',
    ])
    expect(readdirSync(audio())).toHaveLength(6)
  })

  it('leaves the event loop free for requests', async () => {
    await publish(post('one', 'Words for a while, one after another. '.repeat(15)))
    const start = performance.eventLoopUtilization()
    await scan()
    expect(performance.eventLoopUtilization(start).utilization).toBeLessThan(0.3)
  })
})
