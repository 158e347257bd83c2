import type { z } from 'zod'
import type { InputError } from '../core/problem.ts'
import type { Offer } from './offer.ts'
import type { Product } from './product.ts'

/** Makes a product from its input. `paymentKey` names the purchase, which a product may depend on. */
type MakeOf<Input> = (input: Input, signal: AbortSignal, paymentKey: string) => Promise<Product>

/** Tells before payment what a maker would refuse in valid input. It must be cheap, because nobody pays for it. */
type ForeseeOf<Input> = (input: Input) => Promise<readonly InputError[]>

/**
 * Makes a product from validated input before the deadline. A `Problem` that it throws is sent to the buyer, uncharged.
 */
export interface Make extends MakeOf<Record<string, unknown>> {
  /** What it would refuse although the schema accepts it; the 402 lists that beside the price. */
  readonly foresee?: ForeseeOf<Record<string, unknown>>
}

interface Prepared<Input> {
  readonly make: MakeOf<Input>
  readonly foresee: ForeseeOf<Input>
}

/** The default export of a product's `make.ts`: takes what it needs from the context of the site. */
export type Maker<Context> = (context: Context, offer: Offer) => Make

/**
 * Defines how a declared product is made.
 *
 * @example export default defineMake(shout, () => async ({ text }) => textProduct(`${text.toUpperCase()}!`))
 */
export const defineMake =
  <Schema extends z.ZodObject, Context>(
    offer: Offer<Schema>,
    prepare: (context: Context) => MakeOf<z.output<Schema>> | Prepared<z.output<Schema>>,
  ) =>
  (context: Context): Make => {
    const prepared = prepare(context)
    const make = typeof prepared === 'function' ? prepared : prepared.make
    const toProduct: Make = (input, signal, paymentKey) => make(offer.input.parse(input), signal, paymentKey)
    if (typeof prepared === 'function') return toProduct
    return Object.assign(toProduct, {
      foresee: (input: Record<string, unknown>) => prepared.foresee(offer.input.parse(input)),
    })
  }
