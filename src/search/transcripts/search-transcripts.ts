import { toStartText } from '../../core/durations.ts'
import type { Episode, EpisodeCue, Episodes } from '../../narration/episodes/episode.ts'
import { findMatches, type Match } from '../find-matches.ts'
import type { TranscriptQuery } from '../search-query.ts'
import { type SearchTerms, searchTerms } from '../search-terms.ts'
import { toTokens } from '../to-tokens.ts'
import type { TranscriptHits } from './transcript-hits-schema.ts'

/** Searches the transcripts of narrations. */
export type SearchTranscripts = (query: TranscriptQuery) => TranscriptHits

interface Hit {
  readonly episode: Episode
  readonly cue: EpisodeCue
  readonly first: Match
  /** Whether the words are adjacent and in the order of the query. */
  readonly isPhrase: boolean
}

const maxSnippet = 160
const beforeMatch = 60

/**
 * Finds sentences with every term of a query, the last one also as the beginning of a word. Sentences with the terms as
 * a phrase come first; then newer posts, then earlier sentences.
 *
 * @param widen adds the alternatives for each term
 */
export function makeTranscriptSearch(
  episodes: Episodes,
  baseUrl: string,
  widen: (terms: SearchTerms) => SearchTerms = (terms) => terms,
): SearchTranscripts {
  const terms = new WeakMap<Episode, ReadonlySet<string>>()
  const termsOf = (episode: Episode): ReadonlySet<string> => {
    const known =
      terms.get(episode) ?? new Set(episode.cues.flatMap(({ text }) => [...toTokens(text)].map(({ term }) => term)))
    terms.set(episode, known)
    return known
  }

  return ({ q: query, limit, post }) => {
    const wanted = widen(searchTerms(query))
    const phrase = [...toTokens(query)].map(({ term }) => term).join(' ')
    const asked = post === undefined ? episodes.all() : [episodes.find(post)].filter((one) => one !== undefined)
    const [phrases, others]: [Hit[], Hit[]] = [[], []]
    for (const episode of asked) {
      // Frequent words are in most sentences, so the search stops once the limit is filled with phrases.
      if (phrases.length >= limit) break
      if (!hasAll(termsOf(episode), wanted)) continue
      for (const hit of findInEpisode(episode, wanted, phrase)) {
        const few = hit.isPhrase ? phrases : others
        if (few.length < limit) few.push(hit)
      }
    }
    const hits = [...phrases, ...others].slice(0, limit).map((hit) => toHit(hit, baseUrl))
    return { ok: true, query, count: hits.length, hits }
  }
}

/** Whether a post has all terms at all. Most posts do not, and are skipped without reading their sentences. */
function hasAll(all: ReadonlySet<string>, { exact, prefix, others }: SearchTerms): boolean {
  const hasOther = (term: string) => others?.get(term)?.some((form) => all.has(form)) === true
  return (
    exact.length + Number(prefix !== undefined) > 0 &&
    exact.every((term) => all.has(term) || hasOther(term)) &&
    (prefix === undefined || all.values().some((term) => term.startsWith(prefix)) || hasOther(prefix))
  )
}

function findInEpisode(episode: Episode, wanted: SearchTerms, phrase: string): Hit[] {
  const needed = wanted.exact.length + Number(wanted.prefix !== undefined)
  return episode.cues.flatMap((cue) => {
    const matches = findMatches(cue.text, wanted)
    const [first] = matches
    if (!first || new Set(matches.map(({ term }) => term)).size < needed) return []
    const said = [...toTokens(cue.text)].map(({ term }) => term).join(' ')
    return { episode, cue, first, isPhrase: ` ${said}`.includes(` ${phrase}`) }
  })
}

function toHit({ episode, cue, first }: Hit, baseUrl: string): TranscriptHits['hits'][number] {
  const start = Math.floor(cue.startMs / 1000)
  return {
    post: { slug: episode.slug, title: episode.title },
    text: cue.text,
    start,
    startFormatted: toStartText(cue.startMs),
    deepLinkUrl: `${encodeURI(`${baseUrl}/posts/${episode.slug}`)}?t=${start}`,
    snippet: shorten(cue.text, first.start),
  }
}

/** Halves of surrogate pairs, which a cut inside a word may leave. */
const halves = /^[\udc00-\udfff]|[\ud800-\udbff]$/g

/** The sentence, shortened around a position and cut between words if possible. */
function shorten(said: string, place: number): string {
  const text = said.toWellFormed()
  if (text.length <= maxSnippet) return text
  const earliest = Math.max(0, Math.min(place - beforeMatch, text.length - maxSnippet))
  const start = earliest === 0 ? 0 : text.indexOf(' ', earliest) + 1 || earliest
  const from = start > place ? earliest : start
  const latest = Math.min(text.length, from + maxSnippet)
  const space = text.lastIndexOf(' ', latest)
  const end = latest === text.length || space <= place ? latest : space
  return `${from > 0 ? '…' : ''}${text.slice(from, end).replace(halves, '')}${end < text.length ? '…' : ''}`
}
