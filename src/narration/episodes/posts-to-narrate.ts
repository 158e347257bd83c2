import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../core/sha256.ts'
import { type CoverTask, readCoverTasks } from '../../images/cover-tasks.ts'
import type { SpeechEngine } from '../engines/speech-engine.ts'
import { engineVersion } from '../speech/flite.ts'
import { voices } from '../speech/voices.ts'
import { recordingSchema } from './recording.ts'

const unitSchema = z.object({
  text: z.string(),
  spoken: z.string(),
  chapter: z.string().exactOptional(),
  isTight: z.boolean().exactOptional(),
})

/** What the build stores of a post for its narration. */
export const spokenPostSchema = z.object({
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  language: z.string(),
  contentMarkdown: z.string(),
  units: z.array(unitSchema),
  /** The author's own recording, which replaces a synthetic voice. */
  recording: recordingSchema.exactOptional(),
})

/** See spokenPostSchema. */
export type SpokenPost = z.output<typeof spokenPostSchema>

/**
 * Part of the storage key: changed whenever the same post would be worded or tagged differently, which the version of
 * the engine does not show.
 */
const wordingVersion = '3'

/** How posts are read aloud. */
export interface PostVoice {
  /** The album in the tags of the files: the name of the site. */
  readonly album: string
  /** The speech engine; the embedded one when absent. */
  readonly engine?: SpeechEngine | undefined
  readonly voiceId?: string
  /** Pace; 1 is natural. */
  readonly speed?: number
}

/** A published post with the key that names its narration. */
export interface PostToNarrate extends Readonly<SpokenPost> {
  /** Path of a cover (JPEG, 600 pixels), if the build made one. */
  readonly coverFile: string | undefined
  /** How to draw the cover, if it is drawn. */
  readonly coverTask?: CoverTask | undefined
  /** A digest of everything that decides the bytes of the narration, so that they can be cached without expiry. */
  readonly storageKey: string
}

/** The settings that decide the sound, besides the text. */
function toSettings({ album, engine, voiceId, speed = 1 }: PostVoice): string[] {
  if (!engine) return [album, voiceId ?? voices[0].id, String(speed), engineVersion, wordingVersion]
  const how = { spoken: '', voiceId: engine.findVoice(voiceId ?? '').id, speed, quality: 'hd' } as const
  return [album, engine.name, engine.keyOf(how), wordingVersion]
}

/** The published posts of a build, newest first. `privateFolder` holds the texts that are never in its public files. */
export function readPostsToNarrate(privateFolder: string, reading: PostVoice): PostToNarrate[] {
  const posts = z
    .array(spokenPostSchema)
    .parse(JSON.parse(readFileSync(join(privateFolder, 'spoken-posts.json'), 'utf8')))
  const settings = toSettings(reading)
  const covers = readCoverTasks(join(privateFolder, 'covers'))
  return posts.map((post) => {
    const { recording } = post
    if (recording) {
      const hash = sha256(recording.sha256, post.title, JSON.stringify([recording.cues, recording.chapters]))
      return { ...post, coverFile: undefined, storageKey: `${post.slug}-${hash.slice(0, 16)}` }
    }
    const cover = join(privateFolder, 'covers', `${post.slug}.jpg`)
    const coverFile = existsSync(cover) ? cover : undefined
    const coverTask = covers[post.slug]
    // A drawn cover is identified by its task, because the post may be narrated before the cover is drawn.
    const shown = coverTask ? JSON.stringify(coverTask) : coverFile === undefined ? '' : readFileSync(coverFile)
    const hash = sha256(post.title, post.author, post.contentMarkdown, shown, ...settings)
    return { ...post, coverFile, coverTask, storageKey: `${post.slug}-${hash.slice(0, 16)}` }
  })
}
