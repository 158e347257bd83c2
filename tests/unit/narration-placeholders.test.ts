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
  it('show the silent variant for a post without a narration', () => {
    expect(fillPlaceholders(`<main>${placeholder('a-post', '<p>%%duration%%</p>')}${silence}</main>`, none)).toBe(
      '<main><p>Nothing yet</p></main>',
    )
  })

  it('show the narrated variant for posts with narrations, and no silent one', () => {
    const page = `${placeholder('a-post', '<p>%%duration%%, %%duration%%</p>')}${placeholder('b', 'b')}${silence}`
    expect(fillPlaceholders(page, (slug) => (slug === 'a-post' ? { duration: '04:07' } : undefined))).toBe(
      '<p>04:07, 04:07</p>',
    )
  })

  it('list the posts of a page once each, whatever they contain', () => {
    const page = placeholder('a', 'x') + placeholder('b', '<!-- a comment -->') + placeholder('a', 'y')
    expect(slugsOf(page)).toEqual(['a', 'b'])
    expect([
      hasPlaceholders(page),
      hasPlaceholders(silence),
      hasPlaceholders('<p>&lt;!--narrated a--&gt;</p>'),
    ]).toEqual([true, true, false])
  })

  it('refuse an unknown variable name, which the page would show', () => {
    expect(() => fillPlaceholders(placeholder('a', '%%durration%%'), () => ({ duration: '1' }))).toThrow(/durration/)
  })

  it('work for posts of any name', () => {
    const page = placeholder('rust->-go', '%%duration%%') + placeholder('größer', '%%duration%%')
    expect(slugsOf(page)).toEqual(['rust->-go', 'größer'])
    expect(fillPlaceholders(page, (slug) => ({ duration: slug.slice(0, 2) }))).toBe('rugr')
  })

  it('leave names between percent signs in an author’s text unchanged', () => {
    for (const title of ['Replace %%NAME%% and %%duration%%', '%%%a%%', '%%', '%%percents%%'])
      expect(fillPlaceholders(placeholder('a', inPlaceholder(title)), () => ({ duration: '1' }))).toBe(title)
  })

  it('leave variable names outside of placeholders unchanged', () => {
    expect(fillPlaceholders(`<p>%%duration%%</p>${placeholder('a', '%%x%%')}`, () => ({ x: '$& 1' }))).toBe(
      '<p>%%duration%%</p>$& 1',
    )
  })

  it('are filled with durations for people and for programs', () => {
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
