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

/** What the build writes down of a post for the voice. */
export const spokenPostSchema = z.object({
  slug: z.string(),
  title: z.string(),
  author: z.string(),
  language: z.string(),
  contentMarkdown: z.string(),
  units: z.array(unitSchema),
  /** The author's own, which is heard instead of a voice. */
  recording: recordingSchema.exactOptional(),
})

/** See spokenPostSchema. */
export type SpokenPost = z.output<typeof spokenPostSchema>

/** Changed whenever the same post would be worded or tagged differently, which the engine's version does not tell. */
const wordingVersion = '3'

/** How posts are read aloud. */
export interface PostVoice {
  /** What the files say they belong to: the name of the site. */
  readonly album: string
  /** Who speaks; the embedded engine when absent. */
  readonly engine?: SpeechEngine | undefined
  readonly voiceId?: string
  /** Pace; 1 is natural. */
  readonly speed?: number
}

/** A published post with the key that names its narration. */
export interface PostToNarrate extends Readonly<SpokenPost> {
  /** JPEG of 600 pixels, if the build made one. */
  readonly coverFile: string | undefined
  /** How it is drawn, if it is. */
  readonly coverTask?: CoverTask | undefined
  /** From all that decides the bytes of the narration, which can therefore be cached for ever. */
  readonly storageKey: string
}

/** What decides the sound, beside the words. */
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
    // A drawing is known by what it follows from: the post may be narrated before it is drawn.
    const shown = coverTask ? JSON.stringify(coverTask) : coverFile === undefined ? '' : readFileSync(coverFile)
    const hash = sha256(post.title, post.author, post.contentMarkdown, shown, ...settings)
    return { ...post, coverFile, coverTask, storageKey: `${post.slug}-${hash.slice(0, 16)}` }
  })
}
