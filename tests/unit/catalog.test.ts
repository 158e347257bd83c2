import { describe, expect, it } from 'vitest'
import { eurc, testUsdc } from '../../src/core/assets.ts'
import { toJsonSchema } from '../../src/core/json-schema.ts'
import { toCatalog, toPaymentParameters } from '../../src/discovery/catalog.ts'
import { catalogSchema } from '../../src/offers/catalog-schema.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const catalog = toCatalog(sampleOffers, sampleShop)
const entries = [...catalog.skills, ...catalog.hostedApis, ...catalog.content]

describe('the master catalog', () => {
  it('has every field of the specification', () => {
    expect(findSchemaErrors(specSchemas.catalog, catalog)).toEqual([])
  })

  it('matches our own schema, which OpenAPI publishes', () => {
    expect(catalogSchema.parse(catalog)).toEqual(catalog)
    expect(findSchemaErrors(toJsonSchema(catalogSchema), catalog)).toEqual([])
  })

  it('has correct counts', () => {
    const { skills, hostedApis, content, counts } = catalog
    const of = { skills: skills.length, hostedApis: hostedApis.length, content: content.length }
    expect(counts).toEqual({ ...of, total: sampleOffers.length })
    expect(entries.map(({ slug }) => slug)).toEqual(sampleOffers.map(({ slug }) => slug))
  })

  it('shows prices with two decimals, and a plus for a minimum', () => {
    const prices = new Map(entries.map(({ slug, price }) => [slug, price]))
    expect(Array.from(['skill-a', 'narrate', 'llms-pack', 'posts-export'], (slug) => prices.get(slug))).toEqual([
      '$0.10',
      '$0.05',
      '$0.06+',
      '$0.50',
    ])
  })

  it('gives every price in three forms that agree', () => {
    for (const { price, x402 } of entries) {
      expect(x402.priceUsd).toBe(Number(price.replace(/[$+]/g, '')))
      expect(x402.priceMicroUsd).toBe(String(Math.round(x402.priceUsd * 1_000_000)))
    }
    expect(entries.map(({ x402 }) => x402)).toEqual(sampleOffers.map((offer) => toPaymentParameters(offer, sampleShop)))
  })

  it('has the free page and the paid address of skills and APIs', () => {
    expect(catalog.skills[0]).toMatchObject({
      previewUrl: 'https://shop.example/skills/skill-a',
      buyUrl: 'https://shop.example/skills/skill-a/raw',
      installUrl: 'https://shop.example/skills/skill-a/install',
      installCommand: 'curl -fsSL https://shop.example/skills/skill-a/install | sh',
    })
    expect(catalog.hostedApis[3]).toMatchObject({
      previewUrl: 'https://shop.example/apis/llms-pack',
      buyUrl: 'https://shop.example/api/x402/llms/pack',
    })
  })

  it('describes request bodies field by field, only for products with one', () => {
    for (const { method, bodyShape } of catalog.hostedApis) expect(bodyShape !== undefined).toBe(method === 'POST')
    expect(catalog.hostedApis[1]?.bodyShape).toEqual({
      text: 'string of 1..9500 characters, optional',
      blocks: 'array of up to 500 objects, optional',
      voiceId: 'string of 1..128 characters, default English_SereneWoman',
      speed: 'number 0.5..2, default 1',
      model: 'speech-2.8-hd | speech-2.8-turbo, default speech-2.8-hd',
      captions: 'boolean, optional',
    })
    expect(catalog.hostedApis[3]?.bodyShape).toEqual({
      urls: 'array of 1..20 https URLs, required',
      maxCharsPerPage: 'integer 1000..50000, default 20000',
    })
  })

  it('links documents of this shop', () => {
    for (const target of Object.values(catalog.pointers)) expect(target).toMatch(/^https:\/\/shop\.example\//)
  })
})

it('has the price in another token or on another network only where that is accepted, as the schema says', () => {
  const alsoAccepts = [
    { ...eurc, perUsd: 920_000n },
    { ...testUsdc, perUsd: 1_000_000n },
  ]
  const both = catalogSchema.parse(toCatalog(sampleOffers, { ...sampleShop, alsoAccepts }))
  for (const [at, { x402 }] of both.skills.entries()) {
    const amount = String((BigInt(x402.priceMicroUsd) * 92n + 99n) / 100n)
    expect(x402.alsoAccepts).toEqual([
      { asset: eurc.address, assetName: 'EURC', amount },
      { network: 'eip155:84532', asset: testUsdc.address, assetName: 'test USDC', amount: x402.priceMicroUsd },
    ])
    expect(catalog.skills[at]?.x402).not.toHaveProperty('alsoAccepts')
  }
  expect(both.skills.length).toBeGreaterThan(0)
})
