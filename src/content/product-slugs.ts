import { existsSync, readdirSync } from 'node:fs'
import { type Products, toOffers } from '../offers/products.ts'

/** The folders of skills. The parent folder may be missing, because git keeps no empty folders. */
const listSkills = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** The paths of all products except skills, which are sold at routes of the site itself. */
export const soldPaths = (products: Products): string[] => toOffers(products, []).map(({ path }) => path)

/** The slugs of all products. Skills are not read for this, because a skill's slug is the name of its folder. */
export const productSlugs = (products: Products, skillFolder: string): ReadonlySet<string> =>
  new Set([...toOffers(products, []).map(({ slug }) => slug), ...listSkills(skillFolder)])
