import type { Make } from '../../src/offers/make.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'

/** Delivers the file that the build copied, word for word: read once, for a build never changes. */
export default ({ readPrivate }: Pick<MakeContext, 'readPrivate'>, { slug }: Offer): Make => {
  let kept: string | undefined
  return async () => {
    kept ??= await readPrivate(`skill-${slug}.md`)
    return textProduct(kept)
  }
}
