import { z } from 'zod'
import { type MicroUsd, toDisplay } from '../core/money.ts'

/**
 * The section of the shop that a product belongs to: downloadable skills, hosted APIs, paid content, the game's store.
 */
export type Lane = 'skill' | 'hostedApi' | 'content' | 'storeItem'

/** A price that depends on the input, in micro-USD. */
export interface DynamicPrice<Input> {
  /** The lowest price: it is advertised, and quoted when the input cannot be read. */
  from: MicroUsd
  of(input: Input): MicroUsd
  /** The rule in words, for people and for OpenAPI. */
  rule: string
  /** The price of the most expensive valid request. */
  most: MicroUsd
}

/** What products have in common whose paths differ only in one name. */
export interface Family {
  /** Id of the one operation in OpenAPI that stands for all of them. */
  readonly id: string
  readonly title: string
  readonly delivers: string
  /** The shared path, with `:name` for the part that varies. */
  readonly routeTemplate: `/${string}`
}

/** The definition of a product. Catalog, 402, OpenAPI, pages, routes and tests derive from it. */
export interface Offer<Schema extends z.ZodObject = z.ZodObject> {
  /** Unique and permanent: payments are bound to it. The slug, unless said otherwise. */
  readonly id: string
  readonly lane: Lane
  readonly slug: string
  /** The name of its MCP tool. The slug, unless said otherwise. */
  readonly tool?: string
  readonly title: string
  /** One or two sentences for shop windows. */
  readonly excerpt: string
  readonly method: 'GET' | 'POST'
  /** The concrete paid path, below the base URL. */
  readonly path: `/${string}`
  /** The family, for a product whose path differs from others only in one name. */
  readonly family?: Family
  /** Position within its lane, from 1. Products without one come last, by slug. */
  readonly position?: number
  /** Without parameters; text is UTF-8. */
  readonly mimeType: string
  /** Other media types that the input may choose. */
  readonly otherMimeTypes?: readonly string[]
  readonly price: MicroUsd | DynamicPrice<z.output<Schema>>
  /**
   * Schema of the JSON body (POST, unknown fields refused) or of the query string (GET, unknown parameters ignored).
   */
  readonly input: Schema
  readonly example: z.input<Schema>
  /** Wall-clock seconds the work may take; the payment's validity outlives it. */
  readonly workSeconds: number
  /** Requests of this product worked on at the same time; more are refused before any claim. */
  readonly concurrency: number
  /** The largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** What the buyer gets, one sentence each. */
  readonly delivers: readonly string[]
  /** Name of the downloaded file. */
  readonly fileName: string
  /** A short free sample or an excerpt of a real answer. */
  readonly sample: string
  /** The schema of a JSON answer, and its name in OpenAPI. */
  readonly answer?: { readonly name: string; readonly schema: z.ZodType }
  /** Response headers that belong to the product, each with its description. */
  readonly headers?: Readonly<Record<string, string>>
  /** The free plain text that `?inspect=1` answers. */
  readonly inspect?: (offer: Offer, baseUrl: string) => string
  readonly publishedAt?: string
  /** The version that is sold now; absent for products without versions. */
  readonly version?: string
  /** What is new in this version, in a sentence. */
  readonly changes?: string
}

type Defaulted = 'id' | 'workSeconds' | 'concurrency' | 'maxBodyBytes'
type Declaration<Schema extends z.ZodObject> = Omit<Offer<Schema>, Defaulted> & Partial<Pick<Offer<Schema>, Defaulted>>

/**
 * Declares a product for sale.
 *
 * @throws Error of one sentence when the example is not valid input, because buyers copy published examples
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

/** The input of a product without parameters; any query is ignored. */
export const NoInput = z.object({})

/** The advertised price: exact when fixed, the minimum when it depends on the input. */
export const advertisedPrice = ({ price }: Pick<Offer, 'price'>): MicroUsd =>
  typeof price === 'bigint' ? price : price.from

/** Whether the price depends on the input. */
export const isDynamic = ({ price }: Pick<Offer, 'price'>): boolean => typeof price !== 'bigint'

/** The price for people: `$0.10`, or `$0.06+` when that is the minimum. */
export const priceText = (offer: Offer): string => toDisplay(advertisedPrice(offer)) + (isDynamic(offer) ? '+' : '')

/** The exact price of validated input, in micro-USD. */
export const priceOf = <Schema extends z.ZodObject>(offer: Offer<Schema>, input: z.output<Schema>): MicroUsd =>
  typeof offer.price === 'bigint' ? offer.price : offer.price.of(input)

/**
 * The values in a path for the `:names` of its route template.
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
 * Whether a wallet that bought the product owns its bytes, and is never charged for the same bytes again: true of
 * texts, which change only when they are published again. A hosted API does new work for each request, and each is
 * charged.
 */
export const isLasting = ({ lane }: Pick<Offer, 'lane'>): boolean => lane === 'skill' || lane === 'content'

/** The free page that describes the product. */
export function pagePath({ lane, slug }: Pick<Offer, 'lane' | 'slug'>): `/${string}` {
  if (lane === 'storeItem') return '/store.html'
  return lane === 'skill' ? `/skills/${slug}` : `/apis/${slug}`
}

/** Seconds that a signed payment must be valid for: the work, the wait for the chain, and clocks that differ. */
export const maxTimeoutSeconds = ({ workSeconds }: Pick<Offer, 'workSeconds'>): number =>
  Math.max(workSeconds, 20) + 200
