import { z } from 'zod'
import { episodeSchema } from './episode.ts'

const { cues, chapters } = episodeSchema.unwrap().shape

/** An author's own recording of a post, as the build writes it down. */
export const recordingSchema = z.object({
  /** Name of the MP3 in the private folder of the build. */
  file: z.string(),
  sha256: z.string(),
  durationMs: z.int().positive(),
  cues,
  chapters,
})

/** See recordingSchema. */
export type Recording = z.output<typeof recordingSchema>
