import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Offer } from '../../functions/offer.ts'
import { makeOffers } from '../../functions/offers.ts'
import { skillSchema } from '../../src/publishing/skill.ts'
import { buildFiles } from '../../src/server/build-folder.ts'
import { testBuild } from './running-site.ts'

/** Every product of the tested build: tests that are made from this list know new products by themselves. */
export function testedOffers(): readonly Offer[] {
  const file = join(buildFiles(testBuild()).privateTexts, 'skills.json')
  return makeOffers(z.array(skillSchema).parse(JSON.parse(readFileSync(file, 'utf8'))))
}

/** Whether the build holds the product's bytes; the others need time or the world outside, which a test may not have. */
export const isAtHand = ({ id, lane }: Offer): boolean => lane === 'skill' || lane === 'content' || id === 'bot-catalog'

export const isPost = ({ method }: Offer): boolean => method === 'POST'
