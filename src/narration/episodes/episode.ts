import { z } from 'zod'
import type { OpenBytes } from '../../http/static/static-file.ts'

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
    /** Whether its author speaks; a synthetic voice does when absent. */
    isRecorded: z.literal(true).exactOptional(),
    durationMs: ms,
    /** Of the MP3. */
    sizeBytes: z.int().positive(),
    /** Of the MP3, hexadecimal; missing in episodes of before it was kept. */
    sha256: z.string().optional(),
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

/** A published post and the key that a narration of its present text has. */
export type NarratedPost = { readonly slug: string; readonly storageKey: string }

/** A sound that can be sent. */
export interface SoundFile {
  /** Absolute; empty where it is no file. */
  readonly path: string
  readonly sizeBytes: number
  /** Fetches it where it is no file. */
  readonly open?: OpenBytes
}

/** The narrations that are ready. */
export interface Episodes {
  /** The narration of a post: of its text as it is now, else the last one that was made. */
  find(slug: string): Episode | undefined
  /** Where the MP3 of a storage key is; undefined when there is no such narration. */
  findFile(storageKey: string): SoundFile | undefined
  /** One for each published post that has one, newest post first. */
  all(): readonly Episode[]
  /** Grows whenever something above may answer differently. */
  version(): number
}
