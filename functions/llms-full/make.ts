import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import llmsFullOffer from './offer.ts'

/** Delivers the bundle that the build made of all posts. */
export default defineMake(
  llmsFullOffer,
  ({ readPrivate }: Pick<MakeContext, 'readPrivate'>) =>
    async () =>
      textProduct(await readPrivate('llms-full.txt')),
)
