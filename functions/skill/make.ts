import type { Make } from '../../src/offers/make.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'

/**
 * Delivers the skill file exactly as the build copied it. It is read once, because the files of a build never change.
 */
export default ({ readPrivate }: Pick<MakeContext, 'readPrivate'>, { slug }: Offer): Make => {
  let kept: string | undefined
  return async () => {
    kept ??= await readPrivate(`skill-${slug}.md`)
    return textProduct(kept)
  }
}
