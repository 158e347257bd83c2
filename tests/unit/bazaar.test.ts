import { describe, expect, it } from 'vitest'
import { toBazaar } from '../../src/discovery/bazaar.ts'
import { advertisedPrice, maxTimeoutSeconds } from '../../src/offers/offer.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

describe('the bazaar extension', () => {
  it.each(sampleOffers.map((offer) => [offer.id, offer] as const))(
    'of %s has info that its schema accepts',
    (_, offer) => {
      const { info, schema } = toBazaar(offer)
      expect(findSchemaErrors(schema, info)).toEqual([])
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(findSchemaErrors(schema, { ...info, input: { ...info.input, method: 'DELETE' } })).not.toEqual([])
    },
  )

  it('of a skill names it, and accepts no input', () => {
    const [skill] = sampleOffers
    expect(skill && toBazaar(skill)).toMatchObject({
      info: {
        input: { type: 'http', method: 'GET', pathParams: { slug: 'skill-a' } },
        output: { type: 'text', example: '# Opening' },
      },
      schema: { properties: { input: { properties: { queryParams: { type: 'object' } } } } },
    })
  })

  it('never truncates a text between surrogates, which strict JSON parsers refuse', () => {
    const [skill] = sampleOffers
    if (!skill) throw new Error('nothing is for sale')
    for (const before of [158, 159, 160]) {
      const example = toBazaar({ ...skill, sample: `${'x'.repeat(before)}🌊 tides` }).info.output['example']
      expect([before, String(example).isWellFormed()]).toEqual([before, true])
      expect(String(example).startsWith('x'.repeat(before))).toBe(true)
    }
  })

  it('truncates JSON after whole members, as many as fit', () => {
    const diagnosis = sampleOffers.find(({ id }) => id === 'session-status')
    expect(diagnosis && toBazaar(diagnosis).info.output['example']).toEqual({
      siteUrl: 'https://example.com',
      probedAt: '2026-11-20T09:00:00.000Z',
    })
  })

  it('keeps the whole header of every product under three kilobytes', () => {
    for (const offer of sampleOffers) {
      const header = {
        x402Version: 2,
        error: 'PAYMENT-SIGNATURE header is required',
        resource: { url: sampleShop.baseUrl + offer.path, description: offer.excerpt, mimeType: offer.mimeType },
        accepts: [
          {
            scheme: 'exact',
            network: sampleShop.network,
            amount: advertisedPrice(offer).toString(),
            asset: sampleShop.asset,
            payTo: sampleShop.payTo,
            maxTimeoutSeconds: maxTimeoutSeconds(offer),
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
        extensions: { bazaar: toBazaar(offer), redelivery: { info: { token: 'x'.repeat(43) } } },
      }
      expect(Buffer.from(JSON.stringify(header)).toString('base64').length, offer.id).toBeLessThan(3072)
    }
  })
})
