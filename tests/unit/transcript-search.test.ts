import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Episode, EpisodeCue, Episodes } from '../../src/narration/episodes/episode.ts'
import { searchTerms } from '../../src/search/search-terms.ts'
import { toTokens } from '../../src/search/to-tokens.ts'
import { makeTranscriptSearch } from '../../src/search/transcripts/search-transcripts.ts'
import { anyCharacter } from '../support/any-text.ts'
import { figure, limitMs, seed } from '../support/figures.ts'

const baseUrl = 'https://press.example'

/** The narration of the nth newest post. */
const toEpisode = (cues: readonly EpisodeCue[], number: number): Episode => ({
  storageKey: `post-${number}-0123456789abcdef`,
  slug: `post-${number}`,
  title: `Post ${number}`,
  language: 'en',
  voiceId: 'English_SereneWoman',
  durationMs: 1_000_000,
  sizeBytes: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  cues,
  chapters: [],
})

const toEpisodes = (all: readonly Episode[]): Episodes => ({
  find: (slug) => all.find((episode) => episode.slug === slug),
  findFile: () => undefined,
  all: () => all,
  version: () => 1,
})

const searchIn = (transcripts: readonly (readonly EpisodeCue[])[]) =>
  makeTranscriptSearch(toEpisodes(transcripts.map(toEpisode)), baseUrl)
const say = (...sentences: readonly string[]): EpisodeCue[] =>
  sentences.map((text, place) => ({ text, startMs: place * 4900, endMs: place * 4900 + 4000 }))
const ask = (q: string, limit = 50, post?: string) => ({ q, limit, post })

const words = ['sun', 'sunny', 'moon', 'mo', 'été', '東京', '京都', 'ray']
const sentence = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((chosen) => chosen.join(' '))
const cue = fc
  .record({
    text: sentence,
    startMs: fc.integer({ min: 0, max: 20_000_000 }),
    lastsMs: fc.integer({ min: 0, max: 9000 }),
  })
  .map(({ text, startMs, lastsMs }) => ({ text, startMs, endMs: startMs + lastsMs }))
const transcripts = fc.array(fc.array(cue, { maxLength: 8 }), { maxLength: 5 })
const queries = fc
  .array(fc.constantFrom(...words, 'su', 'r', '東', 'snow'), { minLength: 1, maxLength: 3 })
  .map((chosen) => chosen.join(' '))

const termsOf = (text: string): string[] => [...toTokens(text)].map(({ term }) => term)

/** The documented rule: every term occurs, the last one at least as a prefix. */
function isSaid(text: string, query: string): boolean {
  const { exact, prefix } = searchTerms(query)
  const said = termsOf(text)
  return (
    exact.every((term) => said.includes(term)) && (prefix === undefined || said.some((term) => term.startsWith(prefix)))
  )
}
const isPhrase = (text: string, query: string): boolean =>
  ` ${termsOf(text).join(' ')}`.includes(` ${termsOf(query).join(' ')}`)

describe('a search in transcripts', () => {
  it('finds sentences with every word, those with adjacent words first', () => {
    const search = searchIn([
      say('The moon and the sun.', 'Rain.'),
      say('A sun, a moon.', 'Sun moon!', 'Only the sun.'),
    ])
    expect(search(ask('sun moon')).hits.map(({ text }) => text)).toEqual([
      'Sun moon!',
      'The moon and the sun.',
      'A sun, a moon.',
    ])
    expect(search(ask('the')).count).toBe(2)
    expect(search(ask('snow'))).toEqual({ ok: true, query: 'snow', count: 0, hits: [] })
  })

  it('does not treat words as adjacent that only end as requested', () => {
    const search = searchIn([say('a reart of gold, so the art is of gold', 'the art of gold')])
    expect(search(ask('art of gold')).hits.map(({ text }) => text)).toEqual([
      'the art of gold',
      'a reart of gold, so the art is of gold',
    ])
  })

  it('links to the second at which the sentence begins, or the one before', () => {
    const [hit] = searchIn([[{ text: 'Fair play.', startMs: 75_999, endMs: 77_000 }]])(ask('play')).hits
    expect(hit).toEqual({
      post: { slug: 'post-0', title: 'Post 0' },
      text: 'Fair play.',
      start: 75,
      startFormatted: '1:15',
      deepLinkUrl: 'https://press.example/posts/post-0?t=75',
      snippet: 'Fair play.',
    })
  })

  it('searches a single post on request, and finds nothing for an unknown one', () => {
    const search = searchIn([say('One sun.'), say('Another sun.')])
    expect(search(ask('sun', 50, 'post-1')).hits.map(({ post }) => post.slug)).toEqual(['post-1'])
    expect(search(ask('sun', 50, 'post-9')).count).toBe(0)
  })

  it('shortens a long sentence around the match, between words', () => {
    const far = 'filler '.repeat(60)
    const [hit] = searchIn([say(`${far}whale ${far}end.`)])(ask('whale')).hits
    expect(hit?.snippet).toMatch(/^…(?:filler )+whale(?: filler)+…$/)
    expect(hit?.text).toBe(`${far}whale ${far}end.`)
  })

  it('finds what the documented rule finds, in its order, for any text', {
    timeout: limitMs(600_000, 900_000),
  }, () => {
    fc.assert(
      fc.property(transcripts, queries, fc.integer({ min: 1, max: 50 }), (said, query, limit) => {
        const { ok, query: echoed, count, hits } = searchIn(said)(ask(query, limit))
        const all = said.flatMap((cues, number) => cues.map(({ text, startMs }) => ({ number, text, startMs })))
        const matching = all.filter(({ text }) => isSaid(text, query))
        const expected = [
          ...matching.filter(({ text }) => isPhrase(text, query)),
          ...matching.filter(({ text }) => !isPhrase(text, query)),
        ].slice(0, limit)
        expect([ok, echoed, count]).toEqual([true, query, expected.length])
        expect(hits.map(({ deepLinkUrl, start, text }) => [deepLinkUrl, start, text])).toEqual(
          expected.map(({ number, text, startMs }) => {
            const start = Math.floor(startMs / 1000)
            return [`${baseUrl}/posts/post-${number}?t=${start}`, start, text]
          }),
        )
      }),
      { ...seed, numRuns: figure(2000, 200_000) },
    )
  })

  it('answers any query about any text with a part of the sentence', { timeout: limitMs(600_000, 900_000) }, () => {
    const any = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc
        .array(fc.constantFrom('word', 'ω', '𝕏', '\ud800', ' ', '  ', '…', '<b>', '東京', 'x'.repeat(200), '-'), {
          maxLength: 80,
        })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(any, any, fc.boolean(), (text, other, isItself) => {
        const query = isItself ? text.slice(Math.floor(text.length / 2)).slice(0, 256) : other.slice(0, 256)
        const { hits } = searchIn([[{ text, startMs: 0, endMs: 1 }]])(ask(query))
        for (const { snippet } of hits) {
          if (snippet.length > 162) throw new Error(`${snippet.length} characters`)
          if (!snippet.isWellFormed()) throw new Error('half a character')
          const whole = text.toWellFormed()
          if (text.length <= 160 && snippet !== whole) throw new Error('a short sentence is shown whole')
          if (!whole.includes(snippet.replace(/^…|…$/g, ''))) throw new Error(JSON.stringify(snippet))
        }
      }),
      { ...seed, numRuns: figure(20_000, 1_000_000) },
    )
  })
})

it('reads no more narrations than it returns for words that occur everywhere', () => {
  const looked = new Set<string>()
  const all = Array.from({ length: 300 }, (_, number) => {
    const episode = toEpisode(say('the one', 'the other', 'nothing'), number)
    return Object.defineProperty({ ...episode }, 'cues', {
      get() {
        looked.add(episode.slug)
        return episode.cues
      },
    })
  })
  const search = makeTranscriptSearch(toEpisodes(all), baseUrl)
  expect(search(ask('the', 10)).hits.map(({ post }) => post.slug)).toEqual(
    [0, 1, 2, 3, 4].flatMap((number) => [`post-${number}`, `post-${number}`]),
  )
  expect([...looked]).toEqual(all.slice(0, 5).map(({ slug }) => slug))
})
