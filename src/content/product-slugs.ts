import { existsSync, readdirSync } from 'node:fs'
import { type Products, toOffers } from '../offers/products.ts'

/** None where there is no folder: nobody keeps an empty one. */
const listSkills = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Where everything is sold but skills, which the site's own routes have. */
export const soldPaths = (products: Products): string[] => toOffers(products, []).map(({ path }) => path)

/** The name of everything for sale, before any skill is read: a skill's name is its folder's. */
export const productSlugs = (products: Products, skillFolder: string): ReadonlySet<string> =>
  new Set([...toOffers(products, []).map(({ slug }) => slug), ...listSkills(skillFolder)])
