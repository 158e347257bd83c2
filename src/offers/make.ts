import type { z } from 'zod'
import type { Offer } from './offer.ts'
import type { Product } from './product.ts'

/** From what a product is made: its input, when to give up, and the purchase, which a product may be bound to. */
type MakeOf<Input> = (input: Input, signal: AbortSignal, paymentKey: string) => Promise<Product>

/** Makes a product from validated input before the deadline; a `Problem` it throws reaches the buyer, uncharged. */
export type Make = MakeOf<Record<string, unknown>>

/** What `make.ts` in a product's folder exports by default; it takes what it needs of all that the site has. */
export type Maker<Context> = (context: Context, offer: Offer) => Make

/**
 * Says how a declared product is made.
 *
 * @example export default defineMake(shout, () => async ({ text }) => textProduct(`${text.toUpperCase()}!`))
 */
export const defineMake =
  <Schema extends z.ZodObject, Context>(
    offer: Offer<Schema>,
    prepare: (context: Context) => MakeOf<z.output<Schema>>,
  ) =>
  (context: Context): Make => {
    const make = prepare(context)
    return (input, signal, paymentKey) => make(offer.input.parse(input), signal, paymentKey)
  }
