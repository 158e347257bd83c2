import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawCover } from '../../images/draw-cover.ts'
import type { Narrate, Narration, NarrationOptions } from '../narrator/narrate.ts'
import { canSpeak, type Speakable, type Speaks } from '../speech/can-speak.ts'
import type { PostToNarrate, PostVoice } from './posts-to-narrate.ts'

/** What is needed to read posts aloud. */
export interface PostReader {
  readonly narrate: Narrate
  readonly reading: PostVoice
  /** The languages of the voice. */
  readonly speaks: Speaks
  /** Where the build keeps the authors' own recordings. */
  readonly privateFolder: string
}

/** The audio of a post with its times. */
type HeardPost = Omit<Narration, 'sampleRate'> & { readonly isRecorded?: true }

/** The `voiceId` of a recording. */
const recordedVoice = 'recording'

/** Whether a post can be narrated: always if its author recorded it, otherwise if the engine speaks its language. */
export const canHear = (post: PostToNarrate, speaks: Speaks): Speakable =>
  post.recording ? { is: 'speakable' } : canSpeak(post.units.map(({ text }) => text).join('\n'), speaks, post.language)

/** Reads a post aloud with the settings behind its storage key, or returns its author's recording, byte for byte. */
export async function narratePost(
  post: PostToNarrate,
  { narrate, reading, privateFolder }: Omit<PostReader, 'speaks'>,
  options: NarrationOptions,
): Promise<HeardPost> {
  if (post.recording) {
    const { file, durationMs, cues, chapters } = post.recording
    const mp3 = new Uint8Array(await readFile(join(privateFolder, file)))
    return { mp3, durationMs, cues: [...cues], chapters: [...chapters], voiceId: recordedVoice, isRecorded: true }
  }
  const { album, voiceId = '', speed = 1 } = reading
  const cover = await findCover(post)
  const tag = { title: post.title, artist: post.author, album, ...(cover && { cover }) }
  const { sampleRate: _, ...heard } = await narrate({ units: post.units, voiceId, speed, model: 'hd', ...tag }, options)
  return heard
}

/** The cover in the MP3 of a post; drawn now if the build left drawing to the site. */
async function findCover({ coverFile, coverTask }: PostToNarrate): Promise<Uint8Array | undefined> {
  if (coverFile !== undefined) return await readFile(coverFile)
  return coverTask && (await drawCover(coverTask))
}
