import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { toApiAlternate, toSkillAlternate } from '../../src/alternates/product-alternate.ts'
import { withOwnAddress } from '../../src/content/own-address.ts'
import {
  clientPackages,
  identifierRule,
  installLine,
  retryRule,
  toolRetryHint,
  toolRetryRule,
} from '../../src/core/buying-rules.ts'
import { toLlmsTxt } from '../../src/discovery/llms-txt.ts'
import { makeBuyingSkill } from '../../src/discovery/well-known/buying-skill.ts'
import { toPaidResources } from '../../src/discovery/well-known/paid-resources.ts'
import { toPaidTool, toSkillTool } from '../../src/mcp/tool-shelf.ts'
import { toOpenApi } from '../../src/openapi/openapi.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { sampleOffers, sampleShop, sampleSkill } from '../support/sample-shop.ts'
import { encodeHeader } from '../support/signed-payments.ts'
import { baseUrl, leaflet, openTestShop, readTerms } from '../support/test-shop.ts'

const { baseUrl: host, gameUrl } = sampleShop
const skills = sampleOffers.filter(({ lane }) => lane === 'skill')
const others = sampleOffers.filter(({ lane }) => lane !== 'skill')

describe('the rule for a lost response', () => {
  it.each<[string, string]>([
    ...skills.map((offer): [string, string] => [
      offer.slug,
      toSkillAlternate(offer, sampleSkill(offer.slug), host).body,
    ]),
    ...others.map((offer): [string, string] => [offer.slug, toApiAlternate(offer, host).body]),
    ['the page for agents', readFileSync('content/pages/agents.mdx', 'utf8')],
    [
      'llms.txt',
      toLlmsTxt({ name: 'n', description: 'd', baseUrl: host, gameUrl, alternates: [], offers: sampleOffers }),
    ],
    ['the free skill', makeBuyingSkill(host).text],
    ['x-guidance of OpenAPI', toOpenApi(sampleOffers, sampleShop).info['x-guidance']],
    ['the header of OpenAPI', toOpenApi(sampleOffers, sampleShop).components.parameters.PaymentSignature.description],
    ['the list of paid addresses', toPaidResources(sampleOffers, { ...sampleShop, sellerUrl: host }).instructions],
  ])('is on %s', (_, text) => {
    expect(text).toContain(retryRule)
    expect(text).toContain(identifierRule)
  })

  it('is in the description of every tool that sells', () => {
    const tools = [toSkillTool(sampleOffers), ...others.map(toPaidTool)]
    for (const tool of tools) expect(tool?.description).toContain(toolRetryHint)
  })

  it('is in the 402 itself', async () => {
    const clock = { ms: Date.now() }
    const shop = await openTestShop({ chain: pretendChain(clock), clock })
    const answer = await shop.buyLeafletBy.http()
    const body = await answer.json()
    expect(body.detail).toContain(retryRule)
    expect(body.extensions['payment-identifier'].schema.properties.id.description).toBe(identifierRule)
    // Proxies limit the size of headers.
    expect(answer.headers.get('payment-required')?.length).toBeLessThan(3072)
  })

  it('follows the terms of a tool, in one sentence', async () => {
    const clock = { ms: Date.now() }
    const shop = await openTestShop({ chain: pretendChain(clock), clock })
    const { signal } = new AbortController()
    const answer = await shop.toolOf(leaflet)({ arguments: {}, payment: undefined, signal, requestId: 'a-request' })
    const told = answer.content.map((part) => part.type === 'text' && part.text.includes(toolRetryRule))
    expect(told).toEqual([false, true])
  })
})

describe('a client that pays by x402 version 1', () => {
  let ask: (headers: Record<string, string>) => Promise<Response>
  let sales: () => Promise<{ count: number }>
  beforeAll(async () => {
    const clock = { ms: Date.now() }
    const shop = await openTestShop({ chain: pretendChain(clock), clock })
    sales = shop.sales
    ask = (headers) => shop.gateOf(leaflet)(new Request(`${baseUrl}/leaflet`, { headers }))
  })

  it.each(['x-payment', 'payment-signature'])(
    'in %s is told the version and what to install, uncharged',
    async (name) => {
      const old = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature: '0x', authorization: {} } }
      const answer = await ask({ [name]: encodeHeader(old) })
      const body = await answer.json()
      expect([answer.status, readTerms(answer).x402Version]).toEqual([402, 2])
      expect(body).toMatchObject({ error: 'invalid_x402_version', charged: false })
      expect(body.detail).toContain('PAYMENT-SIGNATURE')
      expect(body.detail).toContain(installLine)
      expect((await sales()).count).toBe(0)
    },
  )

  it('is told nothing when it also sends a payment of version 2', async () => {
    const answer = await ask({ 'x-payment': 'old', 'payment-signature': encodeHeader({ x402Version: 2 }) })
    expect((await answer.json()).error).toBe('invalid_payload')
  })
})

it('one install command has all imports of the examples', () => {
  for (const name of clientPackages) expect(installLine).toMatch(new RegExp(` ${RegExp.escape(name)}@2\\b`))
})

it("the site's own address is filled into its pages, but not into its products", () => {
  const source = 'curl https://shop.example/buy.mjs https://shop.example.org/'
  const own = 'curl http://localhost:4321/buy.mjs https://shop.example.org/'
  expect(withOwnAddress(source, '/a/content/pages/agents.mdx?x', 'http://localhost:4321')).toBe(own)
  expect(withOwnAddress(source, 'content/skills/a/SKILL.md', 'http://localhost:4321')).toBe(source)
})
