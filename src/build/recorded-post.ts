import { readFile } from 'node:fs/promises'
import { findBeside } from '../content/file-beside.ts'
import { readRecording } from '../narration/episodes/read-recording.ts'
import type { Recording } from '../narration/episodes/recording.ts'
import type { SpokenUnit } from '../narration/plan/plan-narration.ts'

/** A post's own recording and its metadata. */
export interface RecordedPost {
  readonly about: Recording
  readonly mp3: Uint8Array<ArrayBuffer>
}

interface Post {
  readonly filePath: string | undefined
  /** The files of the recording, beside the post, as its front matter names them. */
  readonly audio: { readonly src: string; readonly transcript?: string | undefined } | undefined
  /** Its text in the units in which it would be narrated. */
  readonly units: readonly SpokenUnit[]
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Reads the recording of a post that has one.
 *
 * @throws Error of one sentence that names the post's file and field
 */
export async function readRecordedPost({ filePath, audio, units }: Post): Promise<RecordedPost | undefined> {
  if (!audio || filePath === undefined) return undefined
  const read = (path: string) => readFile(findBeside(filePath, path) ?? path)
  try {
    const transcript = audio.transcript === undefined ? undefined : (await read(audio.transcript)).toString('utf8')
    const mp3 = new Uint8Array(await read(audio.src))
    const about = readRecording({ mp3, transcript, units })
    return { mp3, about: { file: `recording-${about.sha256.slice(0, 16)}.mp3`, ...about } }
  } catch (error) {
    const files = [audio.src, audio.transcript].filter(Boolean).join(' and ')
    throw new Error(`${filePath}:1: audio cannot be used (${files}): ${messageOf(error)}`, { cause: error })
  }
}
