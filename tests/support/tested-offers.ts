import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { findProducts } from '../../src/offers/find-products.ts'
import type { Offer } from '../../src/offers/offer.ts'
import { toOffers } from '../../src/offers/products.ts'
import { skillSchema } from '../../src/offers/skill.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from './running-site.ts'

const products = await findProducts('functions')

/** Every product of the tested build, so that tests made from this list include new products automatically. */
export function testedOffers(): readonly Offer[] {
  const file = join(buildFiles(testBuild()).privateTexts, 'skills.json')
  return toOffers(products, z.array(skillSchema).parse(JSON.parse(readFileSync(file, 'utf8'))))
}

/** Whether the build contains the product's bytes. Other products need time, or network access that a test may lack. */
export const isAtHand = ({ id, lane }: Offer): boolean => lane === 'skill' || lane === 'content' || id === 'bot-catalog'

export const isPost = ({ method }: Offer): boolean => method === 'POST'
