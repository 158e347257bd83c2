import { readdirSync } from 'node:fs'
import { makeOffers } from '../../functions/offers.ts'

/** The name of everything for sale, before any skill is read: a skill's name is its folder's. */
export const productSlugs = (skillFolder: string): ReadonlySet<string> =>
  new Set([...makeOffers([]).map(({ slug }) => slug), ...readdirSync(skillFolder)])
