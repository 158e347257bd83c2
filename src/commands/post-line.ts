import type { ScannedPost } from '../narration/episodes/media-scan.ts'

/** The result of narrating one post, as a line for people. */
export function toPostLine(post: ScannedPost): string {
  switch (post.state) {
    case 'narrated':
      return `narrated   ${post.storageKey}.mp3 (${post.durationSeconds} s)`
    case 'unchanged':
      return `unchanged  ${post.storageKey}.mp3`
    case 'skipped':
    case 'failed':
      return `${post.state.padEnd(9)}  ${post.slug}: ${post.reason}`
  }
}
