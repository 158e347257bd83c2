import siteConfig from '../../site.config.ts'
import type { Work } from '../jobs/carry-out.ts'
import { type JobOutcome, runJob } from '../jobs/run-job.ts'
import type { SpeechEngine } from '../narration/engines/speech-engine.ts'
import type { EpisodeStore } from '../narration/episodes/episode-store.ts'
import { type ScannedPost, scanMedia } from '../narration/episodes/media-scan.ts'
import { readPostsToNarrate } from '../narration/episodes/posts-to-narrate.ts'
import { makeNarrator } from '../narration/narrator/narrate.ts'
import type { PcmCache } from '../narration/narrator/pcm-cache.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

export interface MediaScanOptions {
  readonly store: EpisodeStore
  /** The folder of private texts of the build whose posts are narrated. */
  readonly privateFolder: string
  /** The speech engine; the embedded one when absent. */
  readonly engine?: SpeechEngine | undefined
  /** Speech of posts whose narration could not be finished. */
  readonly cache?: PcmCache | undefined
  readonly threads: number
  /** The nice value of its workers, 0 to 19. */
  readonly niceness: number
  /** The slug of the only post to narrate. */
  readonly only?: string
  /** The reason why nothing is narrated, when that is so. */
  readonly skipReason?: string
  /** Whether another build has been published meanwhile; its posts are left to a scan of its own. */
  readonly isOutdated?: () => boolean
  readonly onPost: (post: ScannedPost) => void
  readonly onProgress?: (slug: string, done: number, of: number) => void
}

/** The work of the job `media-scan`: narrates published posts that have no narration yet. */
export const mediaScanWork =
  (options: MediaScanOptions): Work<ScannedPost[]> =>
  async (signal, progress) => {
    const { store, privateFolder, engine, cache, threads, niceness, only, skipReason, isOutdated, onPost, onProgress } =
      options
    const reading = { album: siteConfig.name, engine }
    const posts = readPostsToNarrate(privateFolder, reading).filter(({ slug }) => only === undefined || slug === only)
    const narrator = makeNarrator({ threads, niceness, ...(engine && { engine }), ...(cache && { cache }) })
    // Closes the narrator without waiting for the sentence that a worker is speaking.
    const onAbort = () => void narrator.close()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      // Narrations that other processes have made meanwhile are not made again.
      await store.refresh()
      return await scanMedia({
        posts,
        store,
        narrate: narrator.narrate,
        reading,
        speaks: narrator.engine.speaks,
        privateFolder,
        now: Date.now,
        ...(skipReason !== undefined && { skipReason }),
        ...(onProgress && { onProgress }),
        ...(isOutdated && { isOutdated }),
        async onPost(post, soFar) {
          onPost(post)
          await progress([...soFar])
        },
        signal,
      })
    } finally {
      signal.removeEventListener('abort', onAbort)
      await narrator.close()
    }
  }

interface Options extends MediaScanOptions {
  readonly db: LedgerDatabase
  readonly signal: AbortSignal
}

/** Runs the job `media-scan` now, in at most one process at a time. */
export const runMediaScan = ({ db, signal, ...scan }: Options): Promise<JobOutcome<ScannedPost[]>> =>
  runJob({ db, name: 'media-scan', dueAt: Date.now(), signal, work: mediaScanWork(scan) })
