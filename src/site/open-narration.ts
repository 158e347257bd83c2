import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import siteConfig from '../../site.config.ts'
import type { Config } from '../config/config.ts'
import type { EngineChoice } from '../config/engine-settings.ts'
import { type Log, toLogText } from '../core/log.ts'
import type { Work } from '../jobs/carry-out.ts'
import { openSpeechEngine } from '../narration/engines/open-speech-engine.ts'
import type { Episodes, NarratedPost } from '../narration/episodes/episode.ts'
import { type EpisodeStore, openEpisodeStore } from '../narration/episodes/episode-store.ts'
import type { ScannedPost } from '../narration/episodes/media-scan.ts'
import { readPostsToNarrate } from '../narration/episodes/posts-to-narrate.ts'
import { memoryPcmCache } from '../narration/narrator/pcm-cache.ts'
import { mediaScanWork } from './media-scan-work.ts'
import type { ShopStorage } from './open-storage.ts'

const lowestPriority = 19
/** Each thread uses up to 150 MB while it speaks. */
const mostThreads = 4
const maxUnfinishedBytes = 32 * 1024 * 1024

interface Options {
  readonly dataDir: string
  /** The storage of narrations; they are in the data folder when absent. */
  readonly storage: ShopStorage | undefined
  /** Whether posts are narrated here, or existing narrations are only played. */
  readonly narrates: boolean
  /** The engine that reads the posts. */
  readonly voice: EngineChoice
  readonly log: Log
  readonly niceness: Config['niceness']
}

/** Opens the narrations of an installation for these posts. */
export async function openEpisodes(
  { dataDir, storage }: Pick<Options, 'dataDir' | 'storage'>,
  posts: readonly NarratedPost[],
): Promise<EpisodeStore> {
  const folder = join(dataDir, 'audio')
  if (!storage) return openEpisodeStore(folder, posts)
  const { openStoredEpisodes } = await import('../narration/episodes/stored-episodes.ts')
  return openStoredEpisodes({ objects: storage.objects, folder }, posts)
}

/** Opens the narrations that the site plays, and the work that makes them. There are none until `publish` is called. */
export async function openNarration({ narrates, voice, log, niceness, ...place }: Options) {
  const store = await openEpisodes(place, [])
  let published = ''
  const engine = openSpeechEngine(voice)
  // The cache keeps speech of unfinished posts, so that a provider is not paid twice for it.
  const cache = engine && memoryPcmCache(maxUnfinishedBytes)
  const told = new Set<string>()
  const onPost = (post: ScannedPost) => {
    if (post.state === 'narrated')
      log('episode.narrated', { storageKey: post.storageKey, durationSeconds: post.durationSeconds })
    else if (post.state === 'failed') log('episode.failed', { slug: post.slug, reason: toLogText(post.reason) })
    else if (post.state === 'skipped' && narrates && !told.has(`${post.slug} ${post.reason}`)) {
      told.add(`${post.slug} ${post.reason}`)
      log('episode.skipped', { slug: post.slug, reason: toLogText(post.reason) })
    }
  }
  return {
    episodes: store satisfies Episodes,
    /** Plays and narrates the posts of a build from now on: those in its folder of private texts. */
    async publish(privateFolder: string): Promise<void> {
      const posts = readPostsToNarrate(privateFolder, { album: siteConfig.name, engine })
      // Only slug and key are passed on, so that the texts of the posts do not stay in memory.
      await store.publish(posts.map(({ slug, storageKey }) => ({ slug, storageKey })))
      published = privateFolder
    },
    /** Narrates new posts at the lowest priority. */
    async scan(...[signal, progress]: Parameters<Work<ScannedPost[]>>): Promise<ScannedPost[]> {
      const privateFolder = published
      const scan = mediaScanWork({
        store,
        privateFolder,
        ...{ engine, cache },
        isOutdated: () => published !== privateFolder,
        threads: Math.min(mostThreads, availableParallelism()),
        niceness: niceness(lowestPriority),
        ...(!narrates && { skipReason: 'this site narrates nothing by itself (NARRATION=off)' }),
        onPost,
      })
      const scanned = await scan(signal, progress)
      const count = (state: ScannedPost['state']) => scanned.filter((post) => post.state === state).length
      log('media-scan.ran', {
        narrated: count('narrated'),
        unchanged: count('unchanged'),
        skipped: count('skipped'),
        failed: count('failed'),
      })
      return scanned
    },
    /** Call it when nothing is being narrated any more. */
    close: store.close,
  }
}
