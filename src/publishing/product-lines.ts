import { pagePath } from '../../functions/offer.ts'
import { priceText } from '../../functions/price-text.ts'
import { toInline } from '../markdown.ts'
import type { ProductLines } from './components-to-markdown.ts'
import { getOffers } from './skills.ts'

/** Every product as the line that stands for its card where there are no cards. Build-time only. */
export const getProductLines = async (): Promise<ProductLines> =>
  Object.fromEntries(
    (await getOffers()).map((offer) => [
      offer.slug,
      `[${toInline(offer.title)}](${pagePath(offer)}), ${priceText(offer)}: ${toInline(offer.excerpt)}`,
    ]),
  )
