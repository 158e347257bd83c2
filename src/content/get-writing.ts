import { shop } from '../config/site-context.ts'
import { pagePath, priceText } from '../offers/offer.ts'
import type { ProductLines } from './component-forms.ts'
import { getOffers } from './offers.ts'
import { withOwnAddress } from './own-address.ts'
import { readSource } from './read-source.ts'
import { readWriting, type Writing } from './writing.ts'

/** For every product, the line that replaces its card in forms of a text that have no cards. */
const getProductLines = async (): Promise<ProductLines> =>
  Object.fromEntries(
    (await getOffers()).map((offer) => [
      offer.slug,
      { title: offer.title, path: pagePath(offer), about: `${priceText(offer)}: ${offer.excerpt}` },
    ]),
  )

type Entry = Parameters<typeof readSource>[0]

const read = async (entry: Entry, products: Promise<ProductLines>): Promise<Writing> =>
  readWriting(withOwnAddress(readSource(entry).toString(), entry.filePath ?? '', shop.baseUrl), await products)

let products: Promise<ProductLines> | undefined
const writings = new Map<string | undefined, Promise<Writing>>()

/** The parsed text of a post or page. Build-time only; a build parses each once for all its forms. */
export function getWriting(entry: Entry): Promise<Writing> {
  if (import.meta.env.DEV) return read(entry, getProductLines())
  products ??= getProductLines()
  const writing = writings.get(entry.filePath) ?? read(entry, products)
  writings.set(entry.filePath, writing)
  return writing
}
