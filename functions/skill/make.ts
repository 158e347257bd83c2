import type { Make } from '../../src/offers/make.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'

/** Delivers the file that the build copied, word for word. */
export default ({ readPrivate }: Pick<MakeContext, 'readPrivate'>, { slug }: Offer): Make =>
  async () =>
    textProduct(await readPrivate(`skill-${slug}.md`))
