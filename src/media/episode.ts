/** A sentence of the transcript with its place in the sound. */
export type EpisodeCue = { readonly text: string; readonly startMs: number; readonly endMs: number }

/** A narrated post, as everything that plays, lists or searches it knows it. */
export interface Episode {
  /** `<slug>-<16 hexadecimal digits>`, from all that decides the sound, so the file behind it never changes. */
  readonly storageKey: string
  readonly slug: string
  readonly title: string
  readonly language: string
  readonly voiceId: string
  readonly durationMs: number
  /** Of the MP3. */
  readonly sizeBytes: number
  /** ISO 8601, when the narration was made. */
  readonly createdAt: string
  readonly cues: readonly EpisodeCue[]
  readonly chapters: readonly { readonly title: string; readonly startMs: number }[]
}

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
