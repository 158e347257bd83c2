import type { EpisodeCue } from '../../narration/episodes/episode.ts'
import { findMatches } from '../find-matches.ts'
import type { SearchTerms } from '../search-terms.ts'

/**
 * The second at which the sentence with the most terms of the query begins; the first of equals. Undefined when none
 * has any.
 */
export function findStart(cues: readonly EpisodeCue[], terms: SearchTerms): number | undefined {
  const matches = findMatches(cues.map(({ text }) => text).join('\n'), terms)
  let best: EpisodeCue | undefined
  let [most, next, end] = [0, 0, 0]
  for (const cue of cues) {
    end += cue.text.length + 1
    const here = new Set<string>()
    for (let match = matches[next]; match && match.start < end; match = matches[next]) {
      here.add(match.term)
      next += 1
    }
    if (here.size <= most) continue
    best = cue
    most = here.size
  }
  return best && Math.floor(best.startMs / 1000)
}
