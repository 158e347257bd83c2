import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ExportedPost, type PostsExport, postsExportSchema } from '../../content/posts-export-schema.ts'
import { toDurationText } from '../../core/durations.ts'
import type { Episode, Episodes } from '../episodes/episode.ts'
import { audioPath } from '../placeholders/narration-texts.ts'

interface Options {
  /** Reads a text of the build. */
  readonly readPrivate: (name: string) => Promise<string>
  readonly episodes: Pick<Episodes, 'find' | 'findFile'>
}

/**
 * Opens the writing of a build as data, with the narrations that are ready whenever it is asked. What it gives changes
 * only with the writing and with recordings, so that owners of it are given the same bytes, also where all was made anew
 * on another machine: when that was is not in it.
 */
export function openExportedPosts({ readPrivate, episodes }: Options): () => Promise<PostsExport> {
  const checksums = new Map<string, Promise<string | null>>()

  /** Recordings of before checksums were kept are read for theirs, once, where that needs no network. */
  const checksumOf = ({ storageKey, sha256 }: Episode): Promise<string | null> => {
    if (sha256 !== undefined) return Promise.resolve(sha256)
    const path = episodes.findFile(storageKey)?.path
    const known = checksums.get(storageKey) ?? (path ? readChecksum(path) : Promise.resolve(null))
    checksums.set(storageKey, known)
    // What could not be read is read again next time.
    known.catch(() => checksums.delete(storageKey))
    return known
  }

  const withNarration = async (
    post: ExportedPost,
    episode: Episode | undefined,
    baseUrl: string,
  ): Promise<ExportedPost> => ({
    ...post,
    narration: episode
      ? {
          url: baseUrl + audioPath(episode.storageKey),
          storageKey: episode.storageKey,
          duration: toDurationText(episode.durationMs),
          durationSeconds: episode.durationMs / 1000,
          sizeBytes: episode.sizeBytes,
          sha256: await checksumOf(episode),
          transcriptUrl: `${post.url}.vtt`,
          transcript: episode.cues.map(({ text, startMs, endMs }) => ({
            start: startMs / 1000,
            end: endMs / 1000,
            text,
          })),
        }
      : null,
  })

  return async () => {
    const exported = postsExportSchema.parse(JSON.parse(await readPrivate('posts-export.json')))
    const { url } = exported.site
    const posts = exported.posts.map((post) => withNarration(post, episodes.find(post.slug), url))
    return { ...exported, posts: await Promise.all(posts) }
  }
}

async function readChecksum(path: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path), sum)
  return sum.digest('hex')
}
