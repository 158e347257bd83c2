import { advertisedPrice, type Offer } from '../../functions/offer.ts'
import { toUsdNumber } from '../money.ts'
import type { PaymentParameters } from './document-schemas/payment-parameters-schema.ts'
import type { Shop } from './shop.ts'

/** The `x402` object of catalog and manifest. Its names are the specification's own, not those of the x402 wire format. */
export function toPaymentParameters(offer: Offer, { network, asset, payTo }: Shop): PaymentParameters {
  const price = advertisedPrice(offer)
  return {
    scheme: 'exact',
    network,
    asset,
    assetName: 'USDC',
    payTo,
    priceUsd: toUsdNumber(price),
    priceMicroUsd: price.toString(),
  }
}
