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

/** Every product of the tested build: tests that are made from this list know new products by themselves. */
export function testedOffers(): readonly Offer[] {
  const file = join(buildFiles(testBuild()).privateTexts, 'skills.json')
  return toOffers(products, z.array(skillSchema).parse(JSON.parse(readFileSync(file, 'utf8'))))
}

/** Whether the build holds the product's bytes; the others need time or the world outside, which a test may not have. */
export const isAtHand = ({ id, lane }: Offer): boolean => lane === 'skill' || lane === 'content' || id === 'bot-catalog'

export const isPost = ({ method }: Offer): boolean => method === 'POST'
