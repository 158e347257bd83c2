import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { makeOffers } from '../../functions/offers.ts'
import { skillSchema } from '../../src/publishing/skill.ts'
import { buildFiles } from '../../src/server/build-folder.ts'
import { testBuild } from './running-site.ts'

/** Every product of the tested build: tests that are made from this list know new products by themselves. */
export const testedOffers = () =>
  makeOffers(
    z
      .array(skillSchema)
      .parse(JSON.parse(readFileSync(join(buildFiles(testBuild()).privateTexts, 'skills.json'), 'utf8'))),
  )
