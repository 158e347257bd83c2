import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openNarration } from '../../src/site/open-narration.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'

it('an author is told once why a post is not narrated, and not if narration is off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-told-'))
  const post = { title: 'Ein Heller', author: 'A' }
  writeSpokenPosts(folder, [
    { ...post, slug: 'declared', language: 'de', contentMarkdown: 'Ein Heller.' },
    {
      ...post,
      slug: 'mislabelled',
      language: 'en',
      contentMarkdown: 'Das ist nicht Englisch, und es war es auch nie.',
    },
  ])
  const lines: object[] = []
  for (const narrates of [true, false]) {
    const narration = await openNarration({
      dataDir: folder,
      storage: undefined,
      narrates,
      voice: { is: 'embedded' },
      log: (event, fields) => lines.push({ event, ...fields }),
      niceness: () => 0,
    })
    await narration.publish(folder)
    for (let scans = 0; scans < 2; scans++) await narration.scan(new AbortController().signal, async () => {})
    narration.close()
  }
  const event = 'episode.skipped'
  expect(lines.filter((line) => 'slug' in line)).toEqual([
    { event, slug: 'declared', reason: 'the embedded engine speaks English, not "de"' },
    { event, slug: 'mislabelled', reason: 'the text seems to be German, and the embedded engine speaks English' },
  ])
})
