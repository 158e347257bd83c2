import type { Episode } from '../../src/narration/episodes/episode.ts'
import { openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { makeNarrator } from '../../src/narration/narrator/narrate.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

interface Options {
  readonly build: string
  /** The audio folder of a data folder. */
  readonly folder: string
  readonly slug: string
  /** How much of the post is read, from its beginning: a whole one takes many seconds. */
  readonly units?: number
}

/** Narrates the beginning of a post with the real engine and keeps it as the post's episode. */
export async function makeEpisode({ build, folder, slug, units = 6 }: Options): Promise<Episode> {
  const posts = readPostsToNarrate(buildFiles(build).privateTexts, { album: 'Test' })
  const post = posts.find((one) => one.slug === slug)
  if (!post) throw new Error(`there is no post ${slug}`)
  const store = await openEpisodeStore(folder, posts)
  const narrator = makeNarrator()
  try {
    const { mp3, durationMs, cues, chapters, voiceId } = await narrator.narrate({
      units: post.units.slice(0, units),
      voiceId: '',
      speed: 1,
      model: 'hd',
      title: post.title,
      artist: post.author,
    })
    const { storageKey, title, language } = post
    const about = { storageKey, slug, title, language, voiceId, createdAt: new Date().toISOString() }
    const episode: Episode = { ...about, durationMs, sizeBytes: mp3.byteLength, cues, chapters }
    await store.keep(episode, mp3)
    return episode
  } finally {
    store.close()
    await narrator.close()
  }
}
