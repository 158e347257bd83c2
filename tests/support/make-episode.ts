import type { Episode } from '../../src/media/episode.ts'
import { openEpisodeStore } from '../../src/media/episode-store.ts'
import { makeNarrator } from '../../src/media/narrate.ts'
import { readPostsToNarrate } from '../../src/media/posts-to-narrate.ts'
import { toSpokenUnits } from '../../src/publishing/spoken-text.ts'
import { buildFiles } from '../../src/server/build-folder.ts'

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
      units: toSpokenUnits(post.contentMarkdown, { title: post.title }).slice(0, units),
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
