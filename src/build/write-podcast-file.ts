import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPosts } from '../feeds/podcast/heard-posts.ts'
import { toPodcastFeed } from '../feeds/podcast/podcast-feed.ts'
import { toShow } from '../feeds/podcast/show.ts'
import { readKeptEpisodes } from '../narration/episodes/kept-episodes.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { writeAtomically } from '../storage/write-atomically.ts'

const isArtwork = (name: string): boolean => /^podcast-artwork-[0-9a-f]+\.jpg$/.test(name)

/**
 * Writes the podcast feed into a build, with the episodes that are in the data folder now, for installations where
 * only files are served. The manifest does not list it, because the running site answers with a feed of later
 * episodes, too.
 *
 * @param build the folder of the build
 * @throws Error when the build has no picture of the show
 */
export async function writePodcastFile(
  build: string,
  { baseUrl, dataDir }: { readonly baseUrl: string; readonly dataDir: string },
): Promise<void> {
  const { client, privateTexts } = buildFiles(build)
  const artwork = readdirSync(client).find(isArtwork)
  if (artwork === undefined) throw new Error(`${client} has no picture of the podcast`)
  const posts = readPosts(privateTexts)
  const folder = join(dataDir, 'audio')
  const episodes = existsSync(folder) ? await readKeptEpisodes(folder, posts) : new Map()
  const heard = posts.flatMap((post) => {
    const episode = episodes.get(post.slug)
    return episode ? [{ post, episode }] : []
  })
  const feed = toPodcastFeed(toShow(baseUrl, `/${artwork}`), heard)
  await writeAtomically(join(client, 'podcast.xml'), feed, { mode: 0o644 })
}
