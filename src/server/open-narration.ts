import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import siteConfig from '../../site.config.ts'
import { type Log, toLogText } from '../log.ts'
import type { Episodes } from '../media/episode.ts'
import { openEpisodeStore } from '../media/episode-store.ts'
import type { ScannedPost } from '../media/media-scan.ts'
import { readPostsToNarrate } from '../media/posts-to-narrate.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { runMediaScan } from './media-scan-job.ts'
import { narrateInBackground } from './narrate-in-background.ts'

const lowestPriority = 19
/** Each holds up to 150 MB while it speaks. */
const mostThreads = 4

/** On Linux requests come first on every core; elsewhere threads have no priority of their own and leave one core. */
function countThreads(): number {
  const cores = availableParallelism()
  return Math.max(1, Math.min(mostThreads, process.platform === 'linux' ? cores : cores - 1))
}

interface Options {
  readonly db: LedgerDatabase
  readonly dataDir: string
  /** Of the build whose posts are heard. */
  readonly privateFolder: string
  readonly log: Log
  /** Ends what runs in the background. */
  readonly signal: AbortSignal
}

export interface Narration {
  readonly episodes: Episodes
  /** Begins to narrate what is new, beside everything else. */
  start(): void
  /** When nothing runs any more. */
  close(): Promise<void>
}

/** Where the narrations of this data folder are. */
export const audioFolderOf = (dataDir: string): string => join(dataDir, 'audio')

/** The narrations that the site plays, and the work that makes them. */
export async function openNarration({ db, dataDir, privateFolder, log, signal }: Options): Promise<Narration> {
  const posts = readPostsToNarrate(privateFolder, { album: siteConfig.name })
  // The texts of the posts are not kept in memory.
  const keys = posts.map(({ slug, storageKey }) => ({ slug, storageKey }))
  const store = await openEpisodeStore(audioFolderOf(dataDir), keys)
  const onPost = (post: ScannedPost) => {
    if (post.state === 'narrated')
      log('episode.narrated', { storageKey: post.storageKey, durationSeconds: post.durationSeconds })
    else if (post.state === 'failed') log('episode.failed', { slug: post.slug, reason: toLogText(post.reason) })
  }
  const how = { threads: countThreads(), niceness: lowestPriority }
  const scan = () => runMediaScan({ db, store, privateFolder, signal, ...how, onPost })
  let running: Promise<void> | undefined
  return {
    episodes: store,
    start() {
      running ??= narrateInBackground({ scan, log, signal })
    },
    async close() {
      await running
      store.close()
    },
  }
}
