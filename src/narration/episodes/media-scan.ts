import { checksum } from '../../core/checksum.ts'
import { toWholeSeconds } from '../../core/durations.ts'
import { Unspeakable } from '../plan/unspeakable.ts'
import type { EpisodeStore } from './episode-store.ts'
import { canHear, narratePost, type PostReader } from './narrate-post.ts'
import type { PostToNarrate } from './posts-to-narrate.ts'

/** What became of one post. */
export type ScannedPost = { readonly slug: string } & (
  | { readonly state: 'narrated' | 'unchanged'; readonly storageKey: string; readonly durationSeconds: number }
  /** It cannot be read aloud as it is. */
  | { readonly state: 'skipped'; readonly reason: string }
  /** It may work another time. */
  | { readonly state: 'failed'; readonly reason: string }
)

/** Feeds that were read before a post was narrated anew name the file of before. */
const replacedMs = 30 * 24 * 60 * 60 * 1000

interface Scan extends PostReader {
  /** Newest first, which is the order of work. */
  readonly posts: readonly PostToNarrate[]
  readonly store: EpisodeStore
  readonly now: () => number
  /** Why nothing is narrated, when nothing is: what is there is looked at all the same. */
  readonly skipReason?: string
  /** Sentences of one post. */
  readonly onProgress?: (slug: string, done: number, of: number) => void
  /** A post that is dealt with, with all before it. */
  readonly onPost: (post: ScannedPost, soFar: readonly ScannedPost[]) => Promise<void>
  /** Whether these posts are no longer what is published: then no other one is begun. */
  readonly isOutdated?: () => boolean
  readonly signal: AbortSignal
}

/**
 * Narrates every post that has no narration of its present text. One at a time, and each is kept as soon as it is
 * done, so that a scan that was killed goes on where it stood. A post that cannot be narrated stops no other.
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
    // Whoever has lost the right to make narrations keeps none.
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
