import site from '../../site.config.ts'
import type { Shop } from '../config/shop.ts'
import { toUnits } from '../core/assets.ts'
import { toUsdNumber } from '../core/money.ts'
import { toBodyShape } from '../offers/body-shape.ts'
import type { Catalog } from '../offers/catalog-schema.ts'
import { advertisedPrice, type Offer, pagePath, priceText } from '../offers/offer.ts'
import { routes } from '../routes/routes.ts'
import { toInstallLinks } from './install/commands.ts'

/** The fields that start an entry in both the catalog and the skills manifest. */
export const toShopLine = (offer: Offer, { baseUrl }: Pick<Shop, 'baseUrl'>) => ({
  slug: offer.slug,
  title: offer.title,
  excerpt: offer.excerpt,
  price: priceText(offer),
  previewUrl: baseUrl + pagePath(offer),
})

/**
 * The `x402` object in the catalog and the skills manifest. Its field names are those of the specification of these
 * documents, not those of the x402 wire format.
 */
export function toPaymentParameters(
  offer: Offer,
  { network, asset, payTo, alsoAccepts }: Shop,
): Catalog['content'][number]['x402'] {
  const price = advertisedPrice(offer)
  return {
    scheme: 'exact',
    network,
    asset,
    assetName: 'USDC',
    payTo,
    priceUsd: toUsdNumber(price),
    priceMicroUsd: price.toString(),
    ...(alsoAccepts.length > 0 && {
      alsoAccepts: alsoAccepts.map(({ network: on, address, symbol, perUsd }) => ({
        ...(on !== network && { network: on }),
        asset: address,
        assetName: symbol,
        amount: toUnits(price, perUsd).toString(),
      })),
    }),
  }
}

const toEntry = (offer: Offer, shop: Shop) => ({
  ...toShopLine(offer, shop),
  buyUrl: shop.baseUrl + offer.path,
  method: offer.method,
  mimeType: offer.mimeType,
  x402: toPaymentParameters(offer, shop),
})

/** The addresses of the site's other documents, by the names under which clients look them up. */
export const toPointers = (baseUrl: string): Record<string, string> =>
  Object.fromEntries(
    routes.flatMap(({ host, path, pointer }) =>
      host === 'site' && pointer !== undefined ? [[pointer, baseUrl + path]] : [],
    ),
  )

/** `/api/catalog.json`: what is for sale, for how much, and where the rest is (spec: Master catalog). */
export function toCatalog(offers: readonly Offer[], shop: Shop): Catalog {
  const inLane = (lane: Offer['lane']) => offers.filter((offer) => offer.lane === lane)
  const skills = inLane('skill').map((offer) => ({
    kind: 'skill' as const,
    ...toEntry(offer, shop),
    ...toInstallLinks(offer.slug, shop.baseUrl),
  }))
  const hostedApis = inLane('hostedApi').map((offer) => {
    const bodyShape = toBodyShape(offer)
    return { kind: 'hostedApi' as const, ...toEntry(offer, shop), ...(bodyShape && { bodyShape }) }
  })
  const content = inLane('content').map((offer) => ({ kind: 'content' as const, ...toEntry(offer, shop) }))
  return {
    version: '1.0',
    description: site.description,
    source: `${shop.baseUrl}/api/catalog.json`,
    wallet: shop.payTo,
    currency: 'USDC',
    network: shop.network,
    facilitator: shop.facilitatorUrl,
    counts: {
      skills: skills.length,
      hostedApis: hostedApis.length,
      content: content.length,
      total: skills.length + hostedApis.length + content.length,
    },
    skills,
    hostedApis,
    content,
    pointers: toPointers(shop.baseUrl),
  }
}
