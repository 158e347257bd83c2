import type { z } from 'zod'
import type { InputError } from '../core/problem.ts'
import type { Offer } from './offer.ts'
import type { Product } from './product.ts'

/** From what a product is made: its input, when to give up, and the purchase, which a product may be bound to. */
type MakeOf<Input> = (input: Input, signal: AbortSignal, paymentKey: string) => Promise<Product>

/** What is wrong with valid input, for whoever has not signed yet; as cheap as a price, because nobody pays for it. */
type ForeseeOf<Input> = (input: Input) => Promise<readonly InputError[]>

/** Makes a product from validated input before the deadline; a `Problem` it throws reaches the buyer, uncharged. */
export interface Make extends MakeOf<Record<string, unknown>> {
  /** Where it would refuse input that its schema takes, a 402 says so beside the price. */
  readonly foresee?: ForeseeOf<Record<string, unknown>>
}

interface Prepared<Input> {
  readonly make: MakeOf<Input>
  readonly foresee: ForeseeOf<Input>
}

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
