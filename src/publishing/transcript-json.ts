import type { TranscriptCue } from './webvtt.ts'

/** A transcript as podcast players read it: times in seconds. */
export type TranscriptJson = { version: '1.0.0'; segments: { startTime: number; endTime: number; body: string }[] }

/** The cues in the JSON form that the podcast namespace defines for `podcast:transcript`. */
export const toTranscriptJson = (cues: readonly TranscriptCue[]): TranscriptJson => ({
  version: '1.0.0',
  segments: cues.map(({ text, startMs, endMs }) => ({
    startTime: startMs / 1000,
    endTime: endMs / 1000,
    body: text.toWellFormed(),
  })),
})
