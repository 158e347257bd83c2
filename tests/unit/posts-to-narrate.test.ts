import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSpeechEngine } from '../../src/narration/engines/open-speech-engine.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'

const post = { slug: 'a-post', title: 'A post', author: 'A', language: 'en', contentMarkdown: 'Words.', tags: ['x'] }
const folder = mkdtempSync(join(tmpdir(), 'private-'))

const local = { is: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'one' } as const
const services = [
  local,
  { ...local, model: 'two' },
  { ...local, voices: ['af_heart'] },
  { is: 'minimax', baseUrl: 'https://api.example', groupId: undefined },
] as const

const keyOf = (changed: Partial<typeof post> = {}, reading: Partial<Parameters<typeof readPostsToNarrate>[1]> = {}) => {
  writeSpokenPosts(folder, [{ ...post, ...changed }])
  return readPostsToNarrate(folder, { album: 'Press', ...reading })[0]?.storageKey ?? ''
}

it('the storage key of a narration depends on everything that determines its bytes, and on nothing else', () => {
  const key = keyOf()
  expect(keyOf({}, { engine: openSpeechEngine({ ...local, key: () => 'another key' }) })).toBe(
    keyOf({}, { engine: openSpeechEngine({ ...local, key: () => 'a key' }) }),
  )
  expect(key).toMatch(/^a-post-[0-9a-f]{16}$/)
  expect([keyOf(), keyOf({ tags: [] }), keyOf({ language: 'en-GB' })]).toEqual([key, key, key])
  const changed = [
    keyOf({ title: 'Another' }),
    keyOf({ author: 'B' }),
    keyOf({ contentMarkdown: 'Other words.' }),
    keyOf({}, { album: 'Other press' }),
    keyOf({}, { voiceId: 'English_DeepMan' }),
    keyOf({}, { speed: 1.5 }),
    ...services.map((service) => keyOf({}, { engine: openSpeechEngine({ ...service, key: () => 'a key' }) })),
  ]
  mkdirSync(join(folder, 'covers'))
  for (const cover of ['one', 'two']) {
    writeFileSync(join(folder, 'covers', 'a-post.jpg'), cover)
    changed.push(keyOf())
  }
  expect(new Set([key, ...changed]).size).toBe(changed.length + 1)
})
