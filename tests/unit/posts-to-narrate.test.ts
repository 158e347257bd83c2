import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'

const post = { slug: 'a-post', title: 'A post', author: 'A', language: 'en', contentMarkdown: 'Words.', tags: ['x'] }
const folder = mkdtempSync(join(tmpdir(), 'private-'))

const keyOf = (
  changed: Partial<typeof post> = {},
  reading: { album?: string; voiceId?: string; speed?: number } = {},
) => {
  writeSpokenPosts(folder, [{ ...post, ...changed }])
  return readPostsToNarrate(folder, { album: 'Press', ...reading })[0]?.storageKey ?? ''
}

it('names a narration by all that decides its bytes and by nothing else', () => {
  const key = keyOf()
  expect(key).toMatch(/^a-post-[0-9a-f]{16}$/)
  expect([keyOf(), keyOf({ tags: [] }), keyOf({ language: 'en-GB' })]).toEqual([key, key, key])
  const changed = [
    keyOf({ title: 'Another' }),
    keyOf({ author: 'B' }),
    keyOf({ contentMarkdown: 'Other words.' }),
    keyOf({}, { album: 'Other press' }),
    keyOf({}, { voiceId: 'English_DeepMan' }),
    keyOf({}, { speed: 1.5 }),
  ]
  mkdirSync(join(folder, 'covers'))
  for (const cover of ['one', 'two']) {
    writeFileSync(join(folder, 'covers', 'a-post.jpg'), cover)
    changed.push(keyOf())
  }
  expect(new Set([key, ...changed]).size).toBe(changed.length + 1)
})
