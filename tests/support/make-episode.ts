import { readFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { openEpisodeStore, readEpisode } from '../../src/narration/episodes/episode-store.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { makeNarrator } from '../../src/narration/narrator/narrate.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

interface Options {
  readonly build: string
  /** The audio folder of a data folder. */
  readonly folder: string
  readonly slug: string
  /** The number of units of the post to narrate, from its beginning; a whole post takes many seconds. */
  readonly units?: number
}

type Posts = ReturnType<typeof readPostsToNarrate>

/** Narrates the beginning of a post with the real engine. */
async function narrate(post: Posts[number], units: number) {
  const narrator = makeNarrator()
  try {
    return await narrator.narrate({
      units: post.units.slice(0, units),
      voiceId: '',
      speed: 1,
      model: 'hd',
      title: post.title,
      artist: post.author,
    })
  } finally {
    await narrator.close()
  }
}

async function keep(folder: string, posts: Posts, episode: Episode, mp3: Uint8Array): Promise<Episode> {
  const store = await openEpisodeStore(folder, posts)
  try {
    await store.keep(episode, mp3)
    return episode
  } finally {
    store.close()
  }
}

/**
 * Stores the beginning of a post, narrated by the real engine, as the post's episode. Narrations are shared between
 * test files: the name of a build depends on everything that determines the sound.
 */
export async function makeEpisode({ build, folder, slug, units = 6 }: Options): Promise<Episode> {
  const posts = readPostsToNarrate(buildFiles(build).privateTexts, { album: 'Test' })
  const post = posts.find((one) => one.slug === slug)
  if (!post) throw new Error(`there is no post ${slug}`)
  const { storageKey, title, language } = post
  const createdAt = new Date().toISOString()
  const shared = join(tmpdir(), `farthing-test-episodes-${userInfo().username}`, basename(build), String(units))
  const known = await readEpisode(shared, storageKey)
  if (known) return keep(folder, posts, { ...known, createdAt }, readFileSync(join(shared, `${storageKey}.mp3`)))
  const { mp3, durationMs, cues, chapters, voiceId } = await narrate(post, units)
  const about = { storageKey, slug, title, language, voiceId, createdAt }
  const made: Episode = { ...about, durationMs, sizeBytes: mp3.byteLength, cues, chapters }
  await keep(shared, posts, made, mp3)
  return keep(folder, posts, made, mp3)
}
