import siteConfig from '../../site.config.ts'
import type { Work } from '../jobs/carry-out.ts'
import type { EpisodeStore } from '../media/episode-store.ts'
import { type ScannedPost, scanMedia } from '../media/media-scan.ts'
import { makeNarrator } from '../media/narrate.ts'
import { readPostsToNarrate } from '../media/posts-to-narrate.ts'
import { toSpokenUnits } from '../publishing/spoken-text.ts'

export interface MediaScanOptions {
  readonly store: EpisodeStore
  /** Of the build whose posts are read. */
  readonly privateFolder: string
  readonly threads: number
  /** 0 to 19: how far it stands back behind everything else. */
  readonly niceness: number
  /** One post alone. */
  readonly only?: string
  /** Why nothing is narrated, when nothing is. */
  readonly silence?: string
  readonly onPost: (post: ScannedPost) => void
  readonly onProgress?: (slug: string, done: number, of: number) => void
}

/** What the job `media-scan` does: narrates what is published and has no narration yet. */
export const mediaScanWork =
  (options: MediaScanOptions): Work<ScannedPost[]> =>
  async (signal, progress) => {
    const { store, privateFolder, threads, niceness, only, silence, onPost, onProgress } = options
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
        ...(silence !== undefined && { silence }),
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
  }
