import { z } from 'zod'

const ms = z.int().nonnegative()

/** A narrated post, as everything that plays, lists or searches it knows it. */
export const episodeSchema = z
  .object({
    /** `<slug>-<16 hexadecimal digits>`, from all that decides the sound, so the file behind it never changes. */
    storageKey: z.string(),
    slug: z.string(),
    title: z.string(),
    language: z.string(),
    voiceId: z.string(),
    durationMs: ms,
    /** Of the MP3. */
    sizeBytes: z.int().positive(),
    /** ISO 8601, when the narration was made. */
    createdAt: z.iso.datetime(),
    /** The sentences of the transcript with their places in the sound. */
    cues: z.array(z.object({ text: z.string(), startMs: ms, endMs: ms })).readonly(),
    chapters: z.array(z.object({ title: z.string(), startMs: ms })).readonly(),
  })
  .readonly()

/** See episodeSchema. */
export type Episode = z.output<typeof episodeSchema>

/** A sentence of the transcript. */
export type EpisodeCue = Episode['cues'][number]

/** The narrations that are ready. */
export interface Episodes {
  /** The narration of a post: of its text as it is now, else the last one that was made. */
  find(slug: string): Episode | undefined
  /** The absolute path of the MP3 of a storage key; undefined when there is no such narration. */
  findFile(storageKey: string): { readonly path: string; readonly sizeBytes: number } | undefined
  /** One for each published post that has one, newest post first. */
  all(): readonly Episode[]
  /** Grows whenever something above may answer differently. */
  version(): number
}
