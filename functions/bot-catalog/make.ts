import { crawlersSchema } from '../../src/content/crawlers-schema.ts'
import { defineMake } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { MakeContext } from '../make-context.ts'
import { toCrawlerCatalog } from './crawler-catalog.ts'
import botCatalogOffer from './offer.ts'

/** Delivers the catalog that the build made of `content/crawlers.json`, with what operators' sites last answered. */
export default defineMake(
  botCatalogOffer,
  ({ readPrivate, crawlerFacts }: Pick<MakeContext, 'readPrivate' | 'crawlerFacts'>) =>
    async () => {
      const file = crawlersSchema.parse(JSON.parse(await readPrivate('bot-catalog.json')))
      const catalog = toCrawlerCatalog(file, await crawlerFacts())
      return textProduct(JSON.stringify(catalog), 'application/json; charset=utf-8')
    },
)
