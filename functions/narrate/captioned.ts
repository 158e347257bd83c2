import { z } from 'zod'
import { toWebVtt } from '../../src/narration/episodes/webvtt.ts'
import type { SpokenText } from '../../src/narration/narrator/speak-text.ts'

const seconds = z.number().nonnegative()

/** A narration with its captions. The audio is the last field, so that a reader gets the short fields first. */
export const captionedSchema = z.object({
  voiceId: z.string().describe('Who reads'),
  engine: z.string().describe('What made it: embedded, or a provider'),
  durationSeconds: seconds,
  sentences: z
    .array(z.object({ start: seconds, end: seconds, text: z.string() }))
    .describe('Every sentence with its seconds in the sound'),
  chapters: z.array(z.object({ start: seconds, title: z.string() })).describe('Where the headings are'),
  webVtt: z.string().describe('The same sentences as a WebVTT file'),
  audio: z.object({
    mimeType: z.literal('audio/mpeg'),
    bytes: z.int().positive(),
    base64: z.string().describe('The MP3'),
  }),
})

/** A spoken text as `captionedSchema` describes it, with the times of every sentence. */
export const toCaptioned = ({
  mp3,
  durationMs,
  voiceId,
  engine,
  cues,
  chapters,
}: SpokenText): z.output<typeof captionedSchema> => ({
  voiceId,
  engine,
  durationSeconds: durationMs / 1000,
  sentences: cues.map(({ text, startMs, endMs }) => ({ start: startMs / 1000, end: endMs / 1000, text })),
  chapters: chapters.map(({ title, startMs }) => ({ start: startMs / 1000, title })),
  webVtt: toWebVtt(cues),
  audio: { mimeType: 'audio/mpeg', bytes: mp3.byteLength, base64: Buffer.from(mp3).toString('base64') },
})
