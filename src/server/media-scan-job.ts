import siteConfig from '../../site.config.ts'
import { type JobOutcome, runJob } from '../jobs/run-job.ts'
import type { EpisodeStore } from '../media/episode-store.ts'
import { type ScannedPost, scanMedia } from '../media/media-scan.ts'
import { makeNarrator } from '../media/narrate.ts'
import { readPostsToNarrate } from '../media/posts-to-narrate.ts'
import { toSpokenUnits } from '../publishing/spoken-text.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

interface Options {
  readonly db: LedgerDatabase
  readonly store: EpisodeStore
  /** Of the build whose posts are read. */
  readonly privateFolder: string
  readonly signal: AbortSignal
  readonly threads: number
  /** 0 to 19: how far it stands back behind everything else. */
  readonly niceness: number
  /** One post alone. */
  readonly only?: string
  readonly onPost: (post: ScannedPost) => void
  readonly onProgress?: (slug: string, done: number, of: number) => void
}

/** The job `media-scan`: narrates what is published and has no narration yet, in one process at a time. */
export const runMediaScan = ({
  db,
  store,
  privateFolder,
  signal: stop,
  threads,
  niceness,
  only,
  onPost,
  onProgress,
}: Options): Promise<JobOutcome<ScannedPost[]>> =>
  runJob<ScannedPost[]>({
    db,
    name: 'media-scan',
    dueAt: Date.now(),
    signal: stop,
    async work(signal, progress) {
      const reading = { album: siteConfig.name }
      const posts = readPostsToNarrate(privateFolder, reading).filter(({ slug }) => only === undefined || slug === only)
      const narrator = makeNarrator({ threads, niceness })
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
          toUnits: toSpokenUnits,
          reading,
          now: Date.now,
          ...(onProgress && { onProgress }),
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
    },
  })
