import { toDisplay } from '../src/money.ts'
import { advertisedPrice, isDynamic, type Offer } from './offer.ts'

/** The price in shop windows: `$0.10`, and `$0.06+` when that is the least it can be. */
export const priceText = (offer: Offer): string => toDisplay(advertisedPrice(offer)) + (isDynamic(offer) ? '+' : '')
