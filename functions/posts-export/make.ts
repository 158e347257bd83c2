import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import { joinNarrations } from './join-narrations.ts'
import exportPostsOffer from './offer.ts'

/** Delivers the export that the build made of all posts, with the narrations that are ready now. */
export default defineMake(
  exportPostsOffer,
  ({ readPrivate, episodes }: Pick<MakeContext, 'readPrivate' | 'episodes'>) =>
    async () =>
      textProduct(joinNarrations(await readPrivate('posts-export.json'), episodes), 'application/json; charset=utf-8'),
)
