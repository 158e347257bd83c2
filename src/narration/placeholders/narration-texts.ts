import { toDurationText, toWholeSeconds } from '../../core/durations.ts'
import { escapeHtml } from '../../core/escape-html.ts'
import type { Episode } from '../episodes/episode.ts'
import { toSpeaker, toVoiceText } from '../episodes/voice-text.ts'
import type { NarrationTexts } from './placeholders.ts'

/** The path of the MP3 of a narration. */
export const audioPath = (storageKey: string): string => encodeURI(`/audio/${storageKey}.mp3`)

/** The HTML-safe values that the placeholders of a page may contain for a narration. */
export const toNarrationTexts = (episode: Episode, baseUrl: string): NarrationTexts => {
  const texts = {
    storageKey: episode.storageKey,
    audioPath: audioPath(episode.storageKey),
    audioUrl: baseUrl + audioPath(episode.storageKey),
    duration: toDurationText(episode.durationMs),
    seconds: String(toWholeSeconds(episode.durationMs)),
    /** ISO 8601 duration, as schema.org requires. */
    isoDuration: `PT${toWholeSeconds(episode.durationMs)}S`,
    sizeBytes: String(episode.sizeBytes),
    speaker: toSpeaker(episode),
    voice: toVoiceText(episode),
    megabytes: (episode.sizeBytes / 1_000_000).toFixed(1),
  }
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, escapeHtml(text)]))
}
