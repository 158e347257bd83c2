import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import botCatalogOffer from './offer.ts'

/** Delivers the catalog that the build made of `content/crawlers.json`. */
export default defineMake(
  botCatalogOffer,
  ({ readPrivate }: Pick<MakeContext, 'readPrivate'>) =>
    async () =>
      textProduct(await readPrivate('bot-catalog.json'), 'application/json; charset=utf-8'),
)
