import { z } from 'zod'
import type { OpenBytes } from '../../http/static/static-file.ts'

const ms = z.int().nonnegative()

/** A narrated post, with everything that players, lists and search need. */
export const episodeSchema = z
  .object({
    /**
     * `<slug>-<16 hexadecimal digits>`, a digest of everything that decides the sound: the file of a key never changes.
     */
    storageKey: z.string(),
    slug: z.string(),
    title: z.string(),
    language: z.string(),
    voiceId: z.string(),
    /** Whether it is the author's own recording; absent for a synthetic voice. */
    isRecorded: z.literal(true).exactOptional(),
    durationMs: ms,
    /** Of the MP3. */
    sizeBytes: z.int().positive(),
    /** Of the MP3, in hexadecimal; absent in episodes that were stored without it. */
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

/** An MP3 that can be sent. */
export interface SoundFile {
  /** Absolute path; empty when it is in an object storage. */
  readonly path: string
  readonly sizeBytes: number
  /** Reads it from the object storage; absent for a file. */
  readonly open?: OpenBytes
}

/** The narrations that are ready. */
export interface Episodes {
  /** The narration of the present text of a post, or else its newest one. */
  find(slug: string): Episode | undefined
  /** Where the MP3 of a storage key is; undefined when there is no such narration. */
  findFile(storageKey: string): SoundFile | undefined
  /** One for each published post that has one, newest post first. */
  all(): readonly Episode[]
  /** Grows whenever the results of `find`, `findFile` or `all` may have changed. */
  version(): number
}
