import type { SpokenUnit } from '../plan/plan-narration.ts'
import { toSentences } from '../speech/sentences.ts'
import { speechSeconds } from '../speech/speech-seconds.ts'
import type { Recording } from './recording.ts'

/** Pauses that people make while reading, in seconds at the pace of `speechSeconds`. */
const pauses = { sentence: 0.4, paragraph: 0.8 } as const

/**
 * Estimates where the sentences of a text are in a recording, by how long their words take to say. Even reading is
 * followed within a few seconds; for other recordings the author supplies a file with times.
 */
export function alignSentences(units: readonly SpokenUnit[], durationMs: number): Pick<Recording, 'cues' | 'chapters'> {
  const sentences = units.flatMap(({ text, chapter }) => {
    const found = toSentences(text)
    return found.map((sentence, index) => ({
      text: sentence.text,
      seconds: speechSeconds(sentence.text),
      pause: index === found.length - 1 ? pauses.paragraph : pauses.sentence,
      ...(index === 0 && chapter !== undefined && { chapter }),
    }))
  })
  const whole = sentences.reduce((sum, { seconds, pause }) => sum + seconds + pause, 0)
  const toMs = (seconds: number) => Math.round((seconds / whole) * durationMs)
  let passed = 0
  const cues = sentences.map(({ text, seconds, pause, chapter }) => {
    const cue = { text, startMs: toMs(passed), endMs: toMs(passed + seconds) }
    passed += seconds + pause
    return { cue, chapter }
  })
  return {
    cues: cues.map(({ cue }) => cue),
    chapters: cues.flatMap(({ cue, chapter }) =>
      chapter === undefined ? [] : [{ title: chapter, startMs: cue.startMs }],
    ),
  }
}
