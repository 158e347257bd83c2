import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import site from '../../site.config.ts'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from './running-site.ts'

/** Uses the sound of one episode for all posts of the tested build, for tests that only look at pages. */
export async function hearEveryPost(folder: string, episode: Episode): Promise<void> {
  const mp3 = readFileSync(join(folder, `${episode.storageKey}.mp3`))
  const posts = readPostsToNarrate(buildFiles(testBuild()).privateTexts, { album: site.name })
  const store = await openEpisodeStore(folder, posts)
  for (const { storageKey, slug, title, language } of posts)
    if (slug !== episode.slug) await store.keep({ ...episode, storageKey, slug, title, language }, mp3)
  store.close()
}
