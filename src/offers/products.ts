import { type Family, type Lane, type Offer, pagePath } from './offer.ts'
import type { Skill } from './skill.ts'

/** A folder that declares a family of products, one for each skill. */
export interface OfferFamily extends Family {
  readonly offersOf: (skills: readonly Skill[]) => readonly Offer[]
}

/** The default export of `offer.ts` in a folder of `functions/`. */
export type Declared = Offer | OfferFamily

/** The declarations of all folders, by the folder's name. */
export type Products = ReadonlyMap<string, Declared>

/** The path that the products of a folder share, with `:name` for what varies between them. */
export const toRouteTemplate = (declared: Declared): `/${string}` =>
  'offersOf' in declared ? declared.routeTemplate : declared.path

/** The offers of one folder. */
export const toFolderOffers = (declared: Declared, skills: readonly Skill[]): readonly Offer[] =>
  'offersOf' in declared ? declared.offersOf(skills) : [declared]

const lanes: readonly Lane[] = ['skill', 'hostedApi', 'content']

/** By lane, then by declared position, then by slug. */
function inOrder(one: Offer, other: Offer): number {
  const lane = lanes.indexOf(one.lane) - lanes.indexOf(other.lane)
  const position = (one.position ?? Number.MAX_SAFE_INTEGER) - (other.position ?? Number.MAX_SAFE_INTEGER)
  return lane || position || (one.slug < other.slug ? -1 : 1)
}

/** Values that must be different for all products. */
const unique: readonly [what: string, of: (offer: Offer) => string][] = [
  ['id', ({ id }) => id],
  ['path', ({ path }) => path],
  ['page', pagePath],
  ['slug', ({ slug }) => slug],
]

/**
 * Everything for sale, in the order of the catalog.
 *
 * @throws Error of one sentence when two products share a value that must be unique
 */
export function toOffers(products: Products, skills: readonly Skill[]): readonly Offer[] {
  const found = [...products].flatMap(([folder, declared]) =>
    toFolderOffers(declared, skills).map((offer) => ({ folder, offer })),
  )
  for (const [what, of] of unique)
    for (const [value, owners] of Map.groupBy(found, ({ offer }) => of(offer))) {
      const [first, second] = owners
      if (first && second)
        throw new Error(`functions/${second.folder} and functions/${first.folder} declare the same ${what}, ${value}`)
    }
  return found.map(({ offer }) => offer).toSorted(inOrder)
}
