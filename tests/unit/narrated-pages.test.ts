import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeSecurityHeaders } from '../../src/http/security-headers.ts'
import { toStaticFile } from '../../src/http/static/static-file.ts'
import type { Episode, Episodes } from '../../src/narration/episodes/episode.ts'
import { placeholderMarks } from '../../src/narration/placeholders/placeholders.ts'
import { makeNarratedPages } from '../../src/site/narrated-pages.ts'
import { heldBytes } from '../support/heap.ts'

const posts = 600
const names = Array.from({ length: posts }, (_, at) => `post-${at}`)
const security = makeSecurityHeaders('https://press.example')
const entry = (name: string) => ({
  ...{ file: `${name}.html`, size: 4, type: 'text/html; charset=utf-8', etag: '"built"', cache: 'no-cache' },
  placeholders: `${name}.html`,
})
const built = toStaticFile(
  entry('any'),
  new Map([['identity', { path: '', size: 4, body: () => Buffer.from('page') }]]),
  security,
)
const toEpisode = (slug: string, key: string): Episode => ({
  ...{
    storageKey: `${slug}-${key}`,
    slug,
    title: slug,
    language: 'en',
    voiceId: 'v',
    durationMs: 61_000,
    sizeBytes: 1,
  },
  ...{ createdAt: '2026-11-02T10:00:00.000Z', cues: [], chapters: [] },
})

let folder: string
let version = 1
const episodes = new Map<string, Episode>()
const served: Episodes = {
  find: (slug) => episodes.get(slug),
  findFile: () => undefined,
  all: () => [...episodes.values()],
  version: () => version,
}
const open = (mostBytes?: number) => {
  const about = { folder, episodes: served, baseUrl: 'https://press.example', security }
  const replace = makeNarratedPages({ ...about, ...(mostBytes && { mostBytes }) })
  return (name: string) => replace(`/posts/${name}`, entry(name), built)
}
const textOf = (file: typeof built) => `${file.identity.body?.()}`

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'narrated-'))
  for (const name of names) {
    const { open, close } = placeholderMarks(name)
    // Text that compresses to a quarter.
    const words = `${randomBytes(4 * 1024).toString('base64')} `.repeat(4)
    writeFileSync(join(folder, `${name}.html`), `<p>${words}</p>${open}<i>%%duration%%</i>${close}`)
  }
})
beforeEach(() => {
  episodes.clear()
  version += 1
})
afterAll(() => rmSync(folder, { recursive: true }))

it('shows a narration as soon as it exists, with a new entity tag for each one', () => {
  const ask = open()
  expect(ask('post-0')).toBe(built)
  episodes.set('post-0', toEpisode('post-0', 'a'))
  version += 1
  const first = ask('post-0')
  expect(textOf(first)).toMatch(/<i>01:01<\/i>$/)
  expect(`${gunzipSync(first.forms.get('gzip')?.body?.() ?? '')}`).toBe(textOf(first))
  episodes.set('post-0', { ...toEpisode('post-0', 'b'), durationMs: 62_000 })
  version += 1
  const second = ask('post-0')
  expect(textOf(second)).toMatch(/<i>01:02<\/i>$/)
  expect(second.identity.etag).not.toBe(first.identity.etag)
  expect(ask('post-0')).toBe(second)
})

it('builds a page once for all requests, even when other pages change', () => {
  episodes.set('post-0', toEpisode('post-0', 'a'))
  const ask = open()
  const made = ask('post-0')
  expect(ask('post-0')).toBe(made)
  episodes.set('post-1', toEpisode('post-1', 'a'))
  version += 1
  expect(ask('post-0')).toBe(made)
})

it('caches requested pages within a limit, and not every page that a crawler has read', async () => {
  for (const name of names) episodes.set(name, toEpisode(name, 'a'))
  const ask = open(4 * 1024 ** 2)
  const often = ask('post-0')
  const tags = new Map([['post-0', often.identity.etag]])
  const before = heldBytes()
  for (const name of names) {
    tags.set(name, ask(name).identity.etag)
    expect(ask('post-0')).toBe(often)
  }
  // Memory outside the heap is freed a little later.
  heldBytes()
  await delay(200)
  expect((heldBytes() - before) / 1024 ** 2).toBeLessThan(16)
  for (const name of ['post-1', 'post-599']) expect(ask(name).identity.etag).toBe(tags.get(name))
})
