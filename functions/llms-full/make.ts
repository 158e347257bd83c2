import { openExportedPosts } from '../../src/narration/exported/exported-posts.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import llmsFullOffer from './offer.ts'
import { toPostsBundle } from './posts-bundle.ts'

/** Delivers all posts as one text, with the address of the recording of each post that has one. */
export default defineMake(llmsFullOffer, (context: Pick<MakeContext, 'readPrivate' | 'episodes'>) => {
  const readExported = openExportedPosts(context)
  return async () => textProduct(toPostsBundle(await readExported(), llmsFullOffer))
})
