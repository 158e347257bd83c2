import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readKeptEpisodes } from '../../src/narration/episodes/kept-episodes.ts'

it('the feed of a build has the latest narration of each published post', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-episodes-'))
  const keep = (slug: string, storageKey: string, createdAt: string) => {
    const about = {
      slug,
      storageKey,
      createdAt,
      title: slug,
      language: 'en',
      voiceId: 'v',
      durationMs: 1,
      sizeBytes: 3,
    }
    writeFileSync(join(folder, `${storageKey}.json`), JSON.stringify({ ...about, cues: [], chapters: [] }))
    writeFileSync(join(folder, `${storageKey}.mp3`), 'mp3')
  }
  keep('one', 'one-0000000000000001', '2026-01-01T00:00:00.000Z')
  keep('one', 'one-0000000000000002', '2026-01-02T00:00:00.000Z')
  keep('withdrawn', 'withdrawn-0000000000000003', '2026-01-01T00:00:00.000Z')
  const kept = await readKeptEpisodes(folder, [{ slug: 'one' }, { slug: 'two' }])
  expect([...kept].map(([slug, { storageKey }]) => [slug, storageKey])).toEqual([['one', 'one-0000000000000002']])
  rmSync(folder, { recursive: true })
})
