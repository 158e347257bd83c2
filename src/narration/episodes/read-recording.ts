import { checksum } from '../../core/checksum.ts'
import { mp3DurationMs } from '../audio/mp3-duration.ts'
import { plainTextUnits, type SpokenUnit } from '../plan/plan-narration.ts'
import { alignSentences } from './align-sentences.ts'
import { readWebVtt } from './read-webvtt.ts'
import type { Recording } from './recording.ts'

/** Most ms by which captions may exceed the recording. */
const slackMs = 2000

interface Given {
  readonly mp3: Uint8Array
  /** The transcript, if it differs from the text of the post: a WebVTT file or plain text. */
  readonly transcript?: string | undefined
  /** The text of the post. */
  readonly units: readonly SpokenUnit[]
}

/**
 * The length of an author's recording, and where in it every sentence is spoken.
 *
 * @throws Error with a message of one sentence when the sound is not an MP3 or the transcript does not fit it
 */
export function readRecording({ mp3, transcript, units }: Given): Omit<Recording, 'file'> {
  const durationMs = mp3DurationMs(mp3)
  const about = { sha256: checksum(mp3), durationMs }
  if (transcript === undefined) return { ...about, ...alignSentences(units, durationMs) }
  if (!transcript.replace(/^\ufeff/, '').startsWith('WEBVTT')) {
    const said = alignSentences(plainTextUnits(transcript), durationMs)
    if (said.cues.length === 0) throw new Error('the transcript holds no words')
    return { ...about, ...said }
  }
  const cues = readWebVtt(transcript)
  if (cues.some(({ endMs }) => endMs > durationMs + slackMs))
    throw new Error(`the transcript goes on after the recording, which lasts ${Math.round(durationMs / 1000)} seconds`)
  return { ...about, cues: cues.map((cue) => ({ ...cue, endMs: Math.min(cue.endMs, durationMs) })), chapters: [] }
}
