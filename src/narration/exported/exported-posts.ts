import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ExportedPost, type PostsExport, postsExportSchema } from '../../content/posts-export-schema.ts'
import { toDurationText } from '../../core/durations.ts'
import type { Episode, Episodes } from '../episodes/episode.ts'
import { audioPath } from '../placeholders/narration-texts.ts'

interface Options {
  /** Reads a private file of the build by its name. */
  readonly readPrivate: (name: string) => Promise<string>
  readonly episodes: Pick<Episodes, 'find' | 'findFile'>
}

/**
 * Returns a function that exports all posts of a build with the narrations that are ready at the time of the call. The
 * result changes only with posts and recordings and contains no time of building, so that owners get the same bytes
 * again, even from a rebuild on another machine.
 */
export function openExportedPosts({ readPrivate, episodes }: Options): () => Promise<PostsExport> {
  const checksums = new Map<string, Promise<string | null>>()

  /**
   * The checksum of an episode. Episodes that were stored without one are read for it once, if they are local files.
   */
  const checksumOf = ({ storageKey, sha256 }: Episode): Promise<string | null> => {
    if (sha256 !== undefined) return Promise.resolve(sha256)
    const path = episodes.findFile(storageKey)?.path
    const known = checksums.get(storageKey) ?? (path ? readChecksum(path) : Promise.resolve(null))
    checksums.set(storageKey, known)
    // A failed read is not kept, so the next export reads again.
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
