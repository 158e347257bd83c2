import type { EpisodeCue } from './episode.ts'

const two = (value: number): string => String(value).padStart(2, '0')

const timestamp = (ms: number): string =>
  `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`

/** Escapes the text of a cue, which is markup: a post about HTML would lose words, and `-->` would end the cue. */
const escapeCue = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** The cues as a WebVTT file, numbered from 1. */
export const toWebVtt = (cues: readonly EpisodeCue[]): string =>
  `${[
    'WEBVTT',
    ...cues.map(
      ({ text, startMs, endMs }, index) =>
        `${index + 1}\n${timestamp(startMs)} --> ${timestamp(endMs)}\n${escapeCue(text)}`,
    ),
  ].join('\n\n')}\n`
