import { describe, expect, it } from 'vitest'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { toNarrationTexts } from '../../src/narration/placeholders/narration-texts.ts'
import {
  fillPlaceholders,
  hasPlaceholders,
  inPlaceholder,
  notNarratedMarks,
  placeholderMarks,
  slugsOf,
} from '../../src/narration/placeholders/placeholders.ts'

const placeholder = (slug: string, content: string) =>
  `${placeholderMarks(slug).open}${content}${placeholderMarks(slug).close}`
const silence = `${notNarratedMarks.open}<p>Nothing yet</p>${notNarratedMarks.close}`
const none = () => undefined

const episode: Episode = {
  storageKey: 'a-post-0123456789abcdef',
  slug: 'a-post',
  title: 'A post',
  language: 'en',
  voiceId: 'v',
  durationMs: 247_400,
  sizeBytes: 2_968_000,
  createdAt: '2026-01-01T00:00:00.000Z',
  cues: [],
  chapters: [],
}

describe('placeholders for narrations', () => {
  it('show nothing of a post that is not narrated, and the silence instead', () => {
    expect(fillPlaceholders(`<main>${placeholder('a-post', '<p>%%duration%%</p>')}${silence}</main>`, none)).toBe(
      '<main><p>Nothing yet</p></main>',
    )
  })

  it('show the narrations that are ready, and no silence beside them', () => {
    const page = `${placeholder('a-post', '<p>%%duration%%, %%duration%%</p>')}${placeholder('b', 'b')}${silence}`
    expect(fillPlaceholders(page, (slug) => (slug === 'a-post' ? { duration: '04:07' } : undefined))).toBe(
      '<p>04:07, 04:07</p>',
    )
  })

  it('name the posts of a page once each, whatever stands in them', () => {
    const page = placeholder('a', 'x') + placeholder('b', '<!-- a comment -->') + placeholder('a', 'y')
    expect(slugsOf(page)).toEqual(['a', 'b'])
    expect([
      hasPlaceholders(page),
      hasPlaceholders(silence),
      hasPlaceholders('<p>&lt;!--narrated a--&gt;</p>'),
    ]).toEqual([true, true, false])
  })

  it('refuse a name that no narration has, because the page would show it', () => {
    expect(() => fillPlaceholders(placeholder('a', '%%durration%%'), () => ({ duration: '1' }))).toThrow(/durration/)
  })

  it('belong to posts of any name', () => {
    const page = placeholder('rust->-go', '%%duration%%') + placeholder('größer', '%%duration%%')
    expect(slugsOf(page)).toEqual(['rust->-go', 'größer'])
    expect(fillPlaceholders(page, (slug) => ({ duration: slug.slice(0, 2) }))).toBe('rugr')
  })

  it('say what an author says of names between percent signs as it is', () => {
    for (const title of ['Replace %%NAME%% and %%duration%%', '%%%a%%', '%%', '%%percents%%'])
      expect(fillPlaceholders(placeholder('a', inPlaceholder(title)), () => ({ duration: '1' }))).toBe(title)
  })

  it('leave what only looks like a name outside of placeholders alone', () => {
    expect(fillPlaceholders(`<p>%%duration%%</p>${placeholder('a', '%%x%%')}`, () => ({ x: '$& 1' }))).toBe(
      '<p>%%duration%%</p>$& 1',
    )
  })

  it('are filled with lengths for people and for programs', () => {
    expect(toNarrationTexts(episode, 'https://press.example')).toEqual({
      storageKey: 'a-post-0123456789abcdef',
      audioPath: '/audio/a-post-0123456789abcdef.mp3',
      audioUrl: 'https://press.example/audio/a-post-0123456789abcdef.mp3',
      duration: '04:07',
      seconds: '247',
      isoDuration: 'PT247S',
      sizeBytes: '2968000',
      speaker: 'a synthetic voice',
      voice: 'Read by a synthetic voice',
      megabytes: '3.0',
    })
  })
})
