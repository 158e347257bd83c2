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
  /** Of the build whose posts are read. */
  readonly privateFolder: string
  /** Who speaks; the embedded engine when absent. */
  readonly engine?: SpeechEngine | undefined
  /** What was spoken of posts that could not be finished. */
  readonly cache?: PcmCache | undefined
  readonly threads: number
  /** 0 to 19: its priority below everything else. */
  readonly niceness: number
  /** One post alone. */
  readonly only?: string
  /** Why nothing is narrated, when nothing is. */
  readonly skipReason?: string
  /** Whether another build is published by now, whose posts a scan of its own narrates. */
  readonly isOutdated?: () => boolean
  readonly onPost: (post: ScannedPost) => void
  readonly onProgress?: (slug: string, done: number, of: number) => void
}

/** What the job `media-scan` does: narrates what is published and has no narration yet. */
export const mediaScanWork =
  (options: MediaScanOptions): Work<ScannedPost[]> =>
  async (signal, progress) => {
    const { store, privateFolder, engine, cache, threads, niceness, only, skipReason, isOutdated, onPost, onProgress } =
      options
    const reading = { album: siteConfig.name, engine }
    const posts = readPostsToNarrate(privateFolder, reading).filter(({ slug }) => only === undefined || slug === only)
    const narrator = makeNarrator({ threads, niceness, ...(engine && { engine }), ...(cache && { cache }) })
    // A worker that is in the middle of a sentence is not waited for.
    const onAbort = () => void narrator.close()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      // What other processes have made since is not made again.
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

/** The job `media-scan` because somebody asks for it, in one process at a time. */
export const runMediaScan = ({ db, signal, ...scan }: Options): Promise<JobOutcome<ScannedPost[]>> =>
  runJob({ db, name: 'media-scan', dueAt: Date.now(), signal, work: mediaScanWork(scan) })
