import { readFile } from 'node:fs/promises'
import type { Narrate, Narration, NarrationOptions } from '../narrator/narrate.ts'
import type { PostToNarrate, PostVoice } from './posts-to-narrate.ts'

/** What reading a post takes. */
export interface PostReader {
  readonly narrate: Narrate
  readonly reading: PostVoice
}

/** Reads a post aloud, as its storage key says. */
export async function narratePost(
  post: PostToNarrate,
  { narrate, reading }: PostReader,
  options: NarrationOptions,
): Promise<Narration> {
  const { album, voiceId = '', speed = 1 } = reading
  const cover = post.coverFile === undefined ? {} : { cover: await readFile(post.coverFile) }
  const tag = { title: post.title, artist: post.author, album, ...cover }
  return narrate({ units: post.units, voiceId, speed, model: 'hd', ...tag }, options)
}
