import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writePodcastFile } from '../../src/build/write-podcast-file.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

let root: string
const baseUrl = 'https://press.example'
const files = () => buildFiles(join(root, 'build'))
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'podcast-file-'))
  mkdirSync(files().client, { recursive: true })
  mkdirSync(files().privateTexts)
  writeFileSync(join(files().client, 'podcast-artwork-0123456789.jpg'), '')
  const posts = ['second', 'first'].map((slug) => ({
    ...{ slug, title: `The ${slug}`, excerpt: 'A sentence.', author: 'Ada Quill', language: 'en' },
    ...{ url: `${baseUrl}/posts/${slug}`, publishedAt: '2026-11-20T09:00:00.000Z' },
  }))
  writeFileSync(join(files().privateTexts, 'podcast-posts.json'), JSON.stringify(posts))
})
afterEach(() => rmSync(root, { recursive: true }))

/** Stores a narration in the data folder, as the site and `npm run narrate` do. */
function keep(slug: string) {
  const folder = join(root, 'data/audio')
  mkdirSync(folder, { recursive: true })
  const storageKey = `${slug}-0000000000000001`
  const about = { slug, storageKey, title: slug, language: 'en', voiceId: 'v', durationMs: 61_000, sizeBytes: 3 }
  const episode = { ...about, createdAt: '2026-11-21T00:00:00.000Z', cues: [], chapters: [] }
  writeFileSync(join(folder, `${storageKey}.json`), JSON.stringify(episode))
  writeFileSync(join(folder, `${storageKey}.mp3`), 'mp3')
}

async function write(): Promise<string> {
  await writePodcastFile(join(root, 'build'), { baseUrl, dataDir: join(root, 'data') })
  return readFileSync(join(files().client, 'podcast.xml'), 'utf8')
}
const heardIn = (feed: string) => [...feed.matchAll(/<enclosure url="([^"]+)"/g)].map(([, url]) => url)

describe('the podcast as a static file of a build', () => {
  it('has the episodes in the data folder, and later ones when it is updated', async () => {
    expect(heardIn(await write())).toEqual([])
    keep('first')
    expect(heardIn(await write())).toEqual([`${baseUrl}/audio/first-0000000000000001.mp3`])
    keep('second')
    keep('withdrawn')
    expect(heardIn(await write())).toEqual(
      ['second', 'first'].map((slug) => `${baseUrl}/audio/${slug}-0000000000000001.mp3`),
    )
  })

  it('uses the artwork of the build', async () => {
    expect(await write()).toContain(`${baseUrl}/podcast-artwork-0123456789.jpg`)
    rmSync(join(files().client, 'podcast-artwork-0123456789.jpg'))
    await expect(write()).rejects.toThrow('has no picture of the podcast')
  })
})
