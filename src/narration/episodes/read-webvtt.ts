import { Parser } from 'htmlparser2'
import type { EpisodeCue } from './episode.ts'

const timing = /^(?:(\d+):)?([0-5]\d):([0-5]\d)[.,](\d{3})[ \t]+-->[ \t]+(?:(\d+):)?([0-5]\d):([0-5]\d)[.,](\d{3})/

const toMs = (hours: string | undefined, minutes = '', seconds = '', ms = ''): number =>
  ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms)

/** Resolves character references, which in WebVTT are those of HTML. */
function resolveReferences(text: string): string {
  let resolved = ''
  new Parser({ ontext: (part) => (resolved += part) }).end(text.replaceAll('<', '&lt;'))
  return resolved
}

/** The text of a cue without its tags for voices, classes and times. */
const toWords = (lines: readonly string[]): string =>
  resolveReferences(lines.join(' ').replace(/<[^>]*>/g, ''))
    // Left-to-right and right-to-left marks.
    .replace(/[\u200e\u200f]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * The cues of a WebVTT file by start time; notes, styles, regions and settings are ignored.
 *
 * @throws Error with a message of one sentence when it has no cues, or a cue that ends before it begins
 */
export function readWebVtt(file: string): EpisodeCue[] {
  const text = file.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(text)) throw new Error('the file does not begin with WEBVTT')
  const cues = text.split(/\n{2,}/).flatMap((block): EpisodeCue[] => {
    const lines = block.split('\n')
    const place = lines.findIndex((line) => timing.test(line))
    const [, h1, m1, s1, ms1, h2, m2, s2, ms2] = timing.exec(lines[place] ?? '') ?? []
    const cue = { text: toWords(lines.slice(place + 1)), startMs: toMs(h1, m1, s1, ms1), endMs: toMs(h2, m2, s2, ms2) }
    if (place < 0 || cue.text === '') return []
    if (cue.endMs < cue.startMs) throw new Error(`the cue “${cue.text.slice(0, 60)}” ends before it begins`)
    return [cue]
  })
  if (cues.length === 0) throw new Error('the file holds no cues')
  return cues.toSorted((one, other) => one.startMs - other.startMs)
}
