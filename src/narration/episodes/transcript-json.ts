import type { EpisodeCue } from './episode.ts'

/** The cues in the JSON form that the podcast namespace defines for `podcast:transcript`: times in seconds. */
export const toTranscriptJson = (cues: readonly EpisodeCue[]) => ({
  version: '1.0.0',
  segments: cues.map(({ text, startMs, endMs }) => ({
    startTime: startMs / 1000,
    endTime: endMs / 1000,
    body: text.toWellFormed(),
  })),
})
