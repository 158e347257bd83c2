import { postsExportSchema } from '../../src/content/posts-export-schema.ts'
import { toDurationText } from '../../src/core/durations.ts'
import type { Episodes } from '../../src/narration/episodes/episode.ts'
import { audioPath } from '../../src/narration/placeholders/narration-texts.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import exportPostsOffer from './offer.ts'

/** Delivers the export that the build made of all posts, with the narrations that are ready now. */
export default defineMake(
  exportPostsOffer,
  ({ readPrivate, episodes }: Pick<MakeContext, 'readPrivate' | 'episodes'>) =>
    async () =>
      textProduct(joinNarrations(await readPrivate('posts-export.json'), episodes), 'application/json; charset=utf-8'),
)

/** The export that the build wrote, as JSON, with the narrations that are ready now. */
function joinNarrations(exported: string, episodes: Pick<Episodes, 'find'>): string {
  const { posts, ...rest } = postsExportSchema.parse(JSON.parse(exported))
  const joined = posts.map((post) => {
    const episode = episodes.find(post.slug)
    if (!episode) return post
    const narration = {
      url: rest.site.url + audioPath(episode.storageKey),
      storageKey: episode.storageKey,
      duration: toDurationText(episode.durationMs),
      durationSeconds: episode.durationMs / 1000,
      sizeBytes: episode.sizeBytes,
      transcriptUrl: `${post.url}.vtt`,
    }
    return { ...post, narration }
  })
  return JSON.stringify({ ...rest, posts: joined })
}
