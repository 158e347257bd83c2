import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { toCatalog } from '../../src/discovery/catalog.ts'
import { toOpenApi } from '../../src/discovery/openapi.ts'
import { toSkillsManifest } from '../../src/discovery/skills-manifest.ts'
import { problemKinds } from '../../src/problem-kinds.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const document = toOpenApi(sampleOffers, sampleShop)
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const operation = (name: string) => operations.find((candidate) => candidate.name === name)?.operation
const schema = (name: string) => ({
  ...document.components,
  $ref: `#/components/schemas/${name}`,
  components: document.components,
})

describe('the machine description', () => {
  it('has no error under the recommended rules of a linter we did not write', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const findings = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
    expect(
      findings
        .filter(({ severity }) => severity === 'error')
        .map(({ message, location }) => [message, location[0]?.pointer]),
    ).toEqual([])
  })

  it('describes the routes that exist', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      servers: [{ url: sampleShop.baseUrl }],
    })
    expect(operations.map(({ name }) => name).toSorted()).toEqual([
      'GET /api/catalog.json',
      'GET /api/export/posts',
      'GET /api/receipts/{id}.json',
      'GET /api/search.json',
      'GET /api/stats.json',
      'GET /api/transcripts/search.json',
      'GET /api/x402/agent-seo/bot-catalog',
      'GET /api/x402/media/voices',
      'GET /api/x402/media/voices/{voiceId}.mp3',
      'GET /atom.xml',
      'GET /audio/{storage_key}.mp3',
      'GET /feed.json',
      'GET /healthz',
      'GET /index.md',
      'GET /llms-full.txt',
      'GET /llms.txt',
      'GET /openapi.json',
      'GET /podcast.xml',
      'GET /posts/{slug}.chapters.json',
      'GET /posts/{slug}.md',
      'GET /posts/{slug}.transcript.json',
      'GET /posts/{slug}.vtt',
      'GET /readyz',
      'GET /robots.txt',
      'GET /rss.xml',
      'GET /sitemap.xml',
      'GET /skills.json',
      'GET /skills/{slug}/install',
      'GET /skills/{slug}/raw',
      'POST /api/x402/cms/session-status',
      'POST /api/x402/llms/pack',
      'POST /api/x402/media/image/generate',
      'POST /api/x402/media/narrate',
    ])
  })

  it('says what is paid and what is free in the way indexes read it', () => {
    for (const { operation } of operations) {
      const isPaid = 'x-payment-info' in operation
      expect('402' in operation.responses).toBe(isPaid)
      if (!isPaid) expect(operation.security).toEqual([])
    }
    expect(operation('POST /api/x402/media/narrate')).toHaveProperty('x-payment-info', {
      price: { mode: 'fixed', currency: 'USD', amount: '0.050000' },
      protocols: [{ x402: {} }],
    })
    expect(operation('POST /api/x402/llms/pack')).toHaveProperty('x-payment-info', {
      price: { mode: 'dynamic', currency: 'USD', min: '0.060000', max: '0.250000' },
      protocols: [{ x402: {} }],
    })
  })

  it('documents the terms header of a 402 and the schema of its body', () => {
    expect(document.components.responses.PaymentRequired).toMatchObject({
      headers: { 'PAYMENT-REQUIRED': { required: true } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
    })
  })

  it('describes problems from their table', () => {
    const text = JSON.stringify(document.components.responses)
    for (const kind of [
      'invalid-input',
      'payment-in-progress',
      'settlement-unknown',
      'work-failed',
      'rate-limited',
    ] as const) {
      expect(text).toContain(kind)
      expect(text).toContain(problemKinds[kind].title)
    }
  })

  it('has schemas that the published documents satisfy', () => {
    expect(findSchemaErrors(schema('Catalog'), toCatalog(sampleOffers, sampleShop))).toEqual([])
    expect(findSchemaErrors(schema('SkillsManifest'), toSkillsManifest(sampleOffers, sampleShop))).toEqual([])
  })

  it('is valid for a shop without skills', () => {
    const bare = toOpenApi(
      sampleOffers.filter(({ lane }) => lane !== 'skill'),
      sampleShop,
    )
    expect(Object.keys(bare.paths)).not.toContain('/skills/{slug}/raw')
  })
})
