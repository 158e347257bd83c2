import { readFile } from 'node:fs/promises'
import type { Narrate, Narration, NarrationOptions } from './narrate.ts'
import type { SpokenUnit } from './plan-narration.ts'
import type { PostToNarrate, Reading } from './posts-to-narrate.ts'

/** What reading a post takes. */
export interface PostReader {
  readonly narrate: Narrate
  /** What is said for a post. */
  readonly toUnits: (markdown: string, options: { title: string }) => SpokenUnit[]
  readonly reading: Reading
}

/** Reads a post aloud, as its storage key says. */
export async function narratePost(
  post: PostToNarrate,
  { narrate, toUnits, reading }: PostReader,
  options: NarrationOptions,
): Promise<Narration> {
  const { album, voiceId = '', speed = 1 } = reading
  const cover = post.coverFile === undefined ? {} : { cover: await readFile(post.coverFile) }
  const units = toUnits(post.contentMarkdown, { title: post.title })
  const tag = { title: post.title, artist: post.author, album, ...cover }
  return narrate({ units, voiceId, speed, model: 'hd', ...tag }, options)
}
