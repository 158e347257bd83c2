import { readdirSync } from 'node:fs'
import { products } from 'virtual:products'
import { toOffers } from '../offers/products.ts'

/** The name of everything for sale, before any skill is read: a skill's name is its folder's. */
export const productSlugs = (skillFolder: string): ReadonlySet<string> =>
  new Set([...toOffers(products, []).map(({ slug }) => slug), ...readdirSync(skillFolder)])
