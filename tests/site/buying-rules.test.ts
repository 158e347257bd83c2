import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import { identifierRule, retryRule } from '../../src/core/buying-rules.ts'
import { pagePath } from '../../src/offers/offer.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from '../support/running-site.ts'
import { testedOffers } from '../support/tested-offers.ts'

const { client, pricePages } = buildFiles(testBuild())
const wordsOf = (folder: string): string => {
  const { body } = new JSDOM(readFileSync(join(folder, 'index.html'), 'utf8')).window.document
  return (body.textContent ?? '').replace(/\s+/g, ' ')
}

describe.each(testedOffers().map((offer) => [offer.id, offer] as const))('a buyer of %s', (_, offer) => {
  it.each([
    ['page', join(client, pagePath(offer))],
    ['address, opened in a browser', join(pricePages, offer.slug)],
  ])('reads on its %s what to do when the response to a payment is lost', (_place, folder) => {
    expect(wordsOf(folder)).toContain(retryRule)
    expect(wordsOf(folder)).toContain(identifierRule)
  })
})
