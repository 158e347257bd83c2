import { checksum } from '../../core/checksum.ts'
import { toWholeSeconds } from '../../core/durations.ts'
import { Unspeakable } from '../plan/unspeakable.ts'
import type { EpisodeStore } from './episode-store.ts'
import { canHear, narratePost, type PostReader } from './narrate-post.ts'
import type { PostToNarrate } from './posts-to-narrate.ts'

/** The result for one post. */
export type ScannedPost = { readonly slug: string } & (
  | { readonly state: 'narrated' | 'unchanged'; readonly storageKey: string; readonly durationSeconds: number }
  /** The post cannot be read aloud as it is. */
  | { readonly state: 'skipped'; readonly reason: string }
  /** It failed, but may succeed another time. */
  | { readonly state: 'failed'; readonly reason: string }
)

/** How long the file of an earlier narration is kept: feed readers may still have its address. */
const replacedMs = 30 * 24 * 60 * 60 * 1000

interface Scan extends PostReader {
  /** Newest first, which is the order of work. */
  readonly posts: readonly PostToNarrate[]
  readonly store: EpisodeStore
  readonly now: () => number
  /** Why no post is narrated, if so; posts that have a narration are reported all the same. */
  readonly skipReason?: string
  /** Reports progress within one post: sentences done, and all of them. */
  readonly onProgress?: (slug: string, done: number, of: number) => void
  /** Called after each post, with the results of all posts so far. */
  readonly onPost: (post: ScannedPost, soFar: readonly ScannedPost[]) => Promise<void>
  /** Whether the published posts have changed meanwhile; then the scan does not begin another post. */
  readonly isOutdated?: () => boolean
  readonly signal: AbortSignal
}

/**
 * Narrates every post that has no narration of its present text. Posts are narrated one at a time and stored at once,
 * so that a killed scan can continue. A post that cannot be narrated does not stop the others.
 *
 * @throws when `signal` is aborted
 */
export async function scanMedia(scan: Scan): Promise<ScannedPost[]> {
  const { posts, store, signal, onPost, now } = scan
  await store.removeLeftovers()
  await store.removeReplaced(now() - replacedMs)
  const scanned: ScannedPost[] = []
  for (const post of posts) {
    signal.throwIfAborted()
    if (scan.isOutdated?.()) break
    const result = { slug: post.slug, ...(await scanPost(post, scan)) }
    scanned.push(result)
    await onPost(result, scanned)
  }
  return scanned
}

async function scanPost(post: PostToNarrate, scan: Scan) {
  const { store, signal, onProgress, now, skipReason } = scan
  const { slug, storageKey, title, language } = post
  const speakable = canHear(post, scan.speaks)
  if (speakable.is === 'unspeakable') return { state: 'skipped' as const, reason: speakable.reason }
  const kept = store.find(slug)
  if (kept?.storageKey === storageKey)
    return { state: 'unchanged' as const, storageKey, durationSeconds: toWholeSeconds(kept.durationMs) }
  if (skipReason !== undefined && !post.recording) return { state: 'skipped' as const, reason: skipReason }
  try {
    const { mp3, ...heard } = await narratePost(post, scan, {
      signal,
      onProgress: (done, of) => onProgress?.(slug, done, of),
    })
    // A process that has lost its lease on making narrations must not store one.
    signal.throwIfAborted()
    const about = { storageKey, slug, title, language, ...heard, sizeBytes: mp3.byteLength }
    await store.keep({ ...about, sha256: checksum(mp3), createdAt: new Date(now()).toISOString() }, mp3)
    return { state: 'narrated' as const, storageKey, durationSeconds: toWholeSeconds(heard.durationMs) }
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    return error instanceof Unspeakable ? { state: 'skipped' as const, reason } : { state: 'failed' as const, reason }
  }
}
