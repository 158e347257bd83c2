import { z } from 'zod'
import type { MicroUsd } from '../src/money.ts'

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

/** What a product is, said once. Catalog, 402, OpenAPI, pages, routes and tests derive from it. */
export interface Offer<Schema extends z.ZodObject = z.ZodObject> {
  /** Unique and permanent: payments are bound to it. */
  readonly id: string
  readonly lane: Lane
  readonly slug: string
  readonly title: string
  /** One or two sentences for shop windows. */
  readonly excerpt: string
  readonly method: 'GET' | 'POST'
  /** The concrete paid path, below the base URL. */
  readonly path: `/${string}`
  /** The same path with `:name` for what varies between sibling products. */
  readonly routeTemplate?: `/${string}`
  /** Without parameters; text is UTF-8. */
  readonly mimeType: string
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
  readonly publishedAt?: string
}

type Declaration<Schema extends z.ZodObject> = Omit<Offer<Schema>, 'workSeconds' | 'concurrency' | 'maxBodyBytes'> &
  Partial<Pick<Offer<Schema>, 'workSeconds' | 'concurrency' | 'maxBodyBytes'>>

/**
 * Declares something for sale.
 *
 * @throws ZodError when the example is not valid input: a published example that fails would cost a buyer time
 */
export function defineOffer<Schema extends z.ZodObject>(declaration: Declaration<Schema>): Offer<Schema> {
  const offer = { workSeconds: 20, concurrency: 16, maxBodyBytes: 64 * 1024, ...declaration }
  offer.input.parse(offer.example)
  return Object.freeze(offer)
}

/** The input of a product that takes none; whatever a query carries is ignored. */
export const NoInput = z.object({})

/** The advertised price: exact when fixed, the minimum when it depends on the input. */
export const advertisedPrice = ({ price }: Pick<Offer, 'price'>): MicroUsd =>
  typeof price === 'bigint' ? price : price.from

/** Whether the price depends on the input. */
export const isDynamic = ({ price }: Pick<Offer, 'price'>): boolean => typeof price !== 'bigint'

/** The exact price of validated input, in micro-USD. */
export const priceOf = <Schema extends z.ZodObject>(offer: Offer<Schema>, input: z.output<Schema>): MicroUsd =>
  typeof offer.price === 'bigint' ? offer.price : offer.price.of(input)

/** The free page that describes the product. */
export function pagePath({ lane, slug }: Pick<Offer, 'lane' | 'slug'>): `/${string}` {
  if (lane === 'storeItem') return '/store.html'
  return lane === 'skill' ? `/skills/${slug}` : `/apis/${slug}`
}

/** Seconds a signed payment must stay valid: the work, the wait for the chain, and a client clock that is off. */
export const maxTimeoutSeconds = ({ workSeconds }: Pick<Offer, 'workSeconds'>): number =>
  Math.max(workSeconds, 20) + 200
