import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { problemKinds } from '../../src/core/problem-kinds.ts'
import { toCatalog } from '../../src/discovery/catalog.ts'
import { toSkillsManifest } from '../../src/discovery/skills-manifest.ts'
import { toGameOpenApi, toOpenApi } from '../../src/openapi/openapi.ts'
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

describe('the OpenAPI document', () => {
  it.each([
    ['the site', document],
    ['the game host', toGameOpenApi(sampleShop)],
  ])('of %s passes the recommended rules of an independent linter', async (_, document) => {
    const config = await createConfig({ extends: ['recommended'] })
    const findings = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
    expect(
      findings
        .filter(({ severity }) => severity === 'error')
        .map(({ message, location }) => [message, location[0]?.pointer]),
    ).toEqual([])
  })

  it('has the version of the interface and the address of the shop', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      servers: [{ url: sampleShop.baseUrl }],
    })
  })

  it('marks paid and free operations in the way that indexes read', () => {
    for (const { operation } of operations) {
      const isPaid = 'x-payment-info' in operation
      expect('402' in operation.responses).toBe(isPaid)
      expect(operation.security).toEqual(isPaid ? [{}] : [])
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

  it('lists problems from their table', () => {
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

  it('documents that a narration may be unavailable for a while, and that the game may have no free session', () => {
    const game = toGameOpenApi(sampleShop)
    expect(operation('GET /audio/{storage_key}.mp3')?.responses['503']).toEqual({
      $ref: '#/components/responses/Problem503',
    })
    for (const path of ['/mcp', '/api/mcp'])
      expect(game.paths[path]?.['post']?.responses['503']?.content).toHaveProperty('application/json')
  })

  it('documents how an owner is recognized, and the fields of error responses', () => {
    const [lasting, once] = [operation('GET /llms-full.txt'), operation('GET /api/x402/agent-seo/bot-catalog')]
    const signIn = expect.objectContaining({ name: 'SIGN-IN-WITH-X', in: 'header', required: false })
    for (const name of ['GET /api/library.json', 'GET /api/library.csv', 'GET /api/library/{id}'])
      expect(operation(name)?.parameters).toContainEqual(signIn)
    expect(lasting?.parameters).toContainEqual(signIn)
    expect(once?.parameters).not.toContainEqual(signIn)
    expect(lasting?.responses['200']?.headers).toHaveProperty('X-Charged')
    const { responses } = document.components
    expect(responses.PaymentRequired.headers).toHaveProperty('PAYMENT-RESPONSE')
    expect(responses).toHaveProperty('Problem503.headers.PAYMENT-RESPONSE')
    for (const status of [500, 502, 503]) expect(responses).toHaveProperty(`Problem${status}.headers.Retry-After`)
  })

  it('has schemas that the published documents satisfy', () => {
    expect(findSchemaErrors(schema('Catalog'), toCatalog(sampleOffers, sampleShop))).toEqual([])
    expect(findSchemaErrors(schema('SkillsManifest'), toSkillsManifest(sampleOffers, [], sampleShop))).toEqual([])
  })

  it('has valid examples for every document that cannot be fetched directly', () => {
    const own = [
      'Catalog',
      'SkillsManifest',
      'Voices',
      'CrawlerCatalog',
      'CaptionedNarration',
      'Diagnosis',
      'PostsExport',
      'PaidResources',
      'ToolServer',
    ]
    for (const [name, { examples = [] }] of Object.entries<{ examples?: unknown[] }>(document.components.schemas)) {
      expect(`${name}: ${examples.length}`).toBe(`${name}: ${own.includes(name) ? 0 : 1}`)
      for (const example of examples) expect(findSchemaErrors(schema(name), example)).toEqual([])
    }
  })

  it('of each host has the paths of that host only, and names the other host', () => {
    const game = toGameOpenApi(sampleShop)
    expect(game.servers).toEqual([{ url: sampleShop.gameUrl }])
    expect(Object.keys(game.paths)).toContain('/api/store/unlock')
    expect(Object.keys(game.paths)).not.toContain('/api/catalog.json')
    expect(Object.keys(document.paths)).not.toContain('/api/store/unlock')
    expect(document.info.description).toContain(`${sampleShop.gameUrl}/openapi.json`)
    expect(game.info.description).toContain(`${sampleShop.baseUrl}/openapi.json`)
  })

  it('is valid for a shop without skills', () => {
    const bare = toOpenApi(
      sampleOffers.filter(({ lane }) => lane !== 'skill'),
      sampleShop,
    )
    expect(Object.keys(bare.paths)).not.toContain('/skills/{slug}/raw')
  })
})
