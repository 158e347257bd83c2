import { z } from 'zod'
import { type MicroUsd, toDisplay } from '../core/money.ts'

/** Where a product stands in the shop: downloadable skills, hosted APIs, paid content, the game's store. */
export type Lane = 'skill' | 'hostedApi' | 'content' | 'storeItem'

/** A price that depends on the input; `from` is advertised, and quoted when the input cannot be read. */
export interface DynamicPrice<Input> {
  from: MicroUsd
  of(input: Input): MicroUsd
  /** The rule in words, for people and for OpenAPI. */
  rule: string
  /** The dearest valid request. */
  most: MicroUsd
}

/** What is true of all products that share an address but for a name in it, said once. */
export interface Family {
  /** Of the operation that gets any of them. */
  readonly id: string
  readonly title: string
  readonly delivers: string
  /** The path of each with `:name` for what varies. */
  readonly routeTemplate: `/${string}`
}

/** What a product is, said once. Catalog, 402, OpenAPI, pages, routes and tests derive from it. */
export interface Offer<Schema extends z.ZodObject = z.ZodObject> {
  /** Unique and permanent: payments are bound to it. The slug, unless said otherwise. */
  readonly id: string
  readonly lane: Lane
  readonly slug: string
  /** What it does, as models know it: the name of its tool. The slug, unless said otherwise. */
  readonly tool?: string
  readonly title: string
  /** One or two sentences for shop windows. */
  readonly excerpt: string
  readonly method: 'GET' | 'POST'
  /** The concrete paid path, below the base URL. */
  readonly path: `/${string}`
  /** Of a product that shares its address with others but for a name in it. */
  readonly family?: Family
  /** Place among its lane, from 1. Those that name none come last, by slug. */
  readonly position?: number
  /** Without parameters; text is UTF-8. */
  readonly mimeType: string
  /** What else the input may ask it to be delivered as. */
  readonly otherMimeTypes?: readonly string[]
  readonly price: MicroUsd | DynamicPrice<z.output<Schema>>
  /** Of the JSON body (POST, unknown fields refused) or of the query string (GET, unknown parameters ignored). */
  readonly input: Schema
  readonly example: z.input<Schema>
  /** Wall-clock seconds the work may take; the payment's validity outlives it. */
  readonly workSeconds: number
  /** Requests of this product worked on at the same time; more are refused before any claim. */
  readonly concurrency: number
  /** Bytes of request body. */
  readonly maxBodyBytes: number
  /** What the buyer gets, one sentence each. */
  readonly delivers: readonly string[]
  /** Name of the downloaded file. */
  readonly fileName: string
  /** A short free sample or an excerpt of a real answer. */
  readonly sample: string
  /** What a JSON answer holds, under the name that machines know it by. */
  readonly answer?: { readonly name: string; readonly schema: z.ZodType }
  /** Headers of the answer that belong to the product, and what each says. */
  readonly headers?: Readonly<Record<string, string>>
  /** What `?inspect=1` answers for nothing, as plain text. */
  readonly inspect?: (offer: Offer, baseUrl: string) => string
  readonly publishedAt?: string
  /** Of a product that comes in versions: the one that is sold now. */
  readonly version?: string
  /** What is new in it, in a sentence. */
  readonly changes?: string
}

type Defaulted = 'id' | 'workSeconds' | 'concurrency' | 'maxBodyBytes'
type Declaration<Schema extends z.ZodObject> = Omit<Offer<Schema>, Defaulted> & Partial<Pick<Offer<Schema>, Defaulted>>

/**
 * Declares something for sale.
 *
 * @throws Error of one sentence when the example is not valid input: one that is published and fails costs buyers time
 */
export function defineOffer<Schema extends z.ZodObject>(declaration: Declaration<Schema>): Offer<Schema> {
  const offer = { id: declaration.slug, workSeconds: 20, concurrency: 16, maxBodyBytes: 64 * 1024, ...declaration }
  const { error } = offer.input.safeParse(offer.example)
  if (error) {
    const wrong = error.issues.map(({ path, message }) => `/${path.join('/')} ${message}`)
    throw new Error(`the example of ${offer.id} is refused by its own input: ${wrong.join(', ')}`)
  }
  return Object.freeze(offer)
}

/** The input of a product that takes none; whatever a query carries is ignored. */
export const NoInput = z.object({})

/** The advertised price: exact when fixed, the minimum when it depends on the input. */
export const advertisedPrice = ({ price }: Pick<Offer, 'price'>): MicroUsd =>
  typeof price === 'bigint' ? price : price.from

/** Whether the price depends on the input. */
export const isDynamic = ({ price }: Pick<Offer, 'price'>): boolean => typeof price !== 'bigint'

/** The price in shop windows: `$0.10`, and `$0.06+` when that is the least it can be. */
export const priceText = (offer: Offer): string => toDisplay(advertisedPrice(offer)) + (isDynamic(offer) ? '+' : '')

/** The exact price of validated input, in micro-USD. */
export const priceOf = <Schema extends z.ZodObject>(offer: Offer<Schema>, input: z.output<Schema>): MicroUsd =>
  typeof offer.price === 'bigint' ? offer.price : offer.price.of(input)

/**
 * The values that stand where a route template has `:names`.
 *
 * @example toPathParameters({ path: '/skills/x/raw', family: { routeTemplate: '/skills/:slug/raw', … } }) // { slug: 'x' }
 */
export function toPathParameters({ path, family }: Pick<Offer, 'path' | 'family'>): Record<string, string> {
  const values = path.split('/')
  const names = (family?.routeTemplate ?? '').split('/')
  return Object.fromEntries(
    names.flatMap((name, place) => (name.startsWith(':') ? [[name.slice(1), values[place] ?? '']] : [])),
  )
}

/**
 * Whether a wallet that bought this owns the bytes, and is never charged for the same ones again: what is written, and
 * changes only with a new edition. A hosted API works anew for each request, and is paid for each.
 */
export const isLasting = ({ lane }: Pick<Offer, 'lane'>): boolean => lane === 'skill' || lane === 'content'

/** The free page that describes the product. */
export function pagePath({ lane, slug }: Pick<Offer, 'lane' | 'slug'>): `/${string}` {
  if (lane === 'storeItem') return '/store.html'
  return lane === 'skill' ? `/skills/${slug}` : `/apis/${slug}`
}

/** Seconds a signed payment must stay valid: the work, the wait for the chain, and a client clock that is off. */
export const maxTimeoutSeconds = ({ workSeconds }: Pick<Offer, 'workSeconds'>): number =>
  Math.max(workSeconds, 20) + 200
