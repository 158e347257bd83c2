import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeDocumentRoutes } from '../../game-server/mcp/serve-documents.ts'
import { eurc } from '../../src/core/assets.ts'
import { network } from '../../src/core/chain-constants.ts'
import { toPointers } from '../../src/discovery/catalog.ts'
import { toHomeLinks } from '../../src/discovery/home-links.ts'
import { toEarlySkillsIndex, toSkillsIndex } from '../../src/discovery/well-known/agent-skills.ts'
import { toGameAiCatalog, toSiteAiCatalog } from '../../src/discovery/well-known/ai-catalog.ts'
import { toApiCatalog } from '../../src/discovery/well-known/api-catalog.ts'
import { makeBuyingSkill } from '../../src/discovery/well-known/buying-skill.ts'
import { toPaidResources } from '../../src/discovery/well-known/paid-resources.ts'
import { toSecurityTxt } from '../../src/discovery/well-known/security-txt.ts'
import { advertisedPrice, maxTimeoutSeconds } from '../../src/offers/offer.ts'
import { toDidDocument } from '../../src/payments/proof/did-document.ts'
import { toRequirements } from '../../src/payments/wire/requirements.ts'
import { routes } from '../../src/routes/routes.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'

const { baseUrl, gameUrl, asset, payTo } = sampleShop
const link = z.strictObject({ href: z.url(), type: z.string().regex(/^\w+\/[\w.+-]+$/), title: z.string() })
const context = z.strictObject({
  anchor: z.url(),
  'service-desc': z.array(link).min(1),
  'service-doc': z.array(link).min(1),
  'service-meta': z.array(link).min(1),
  status: z.array(link).min(1),
})
const skillFields = z.object({
  name: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  description: z.string().min(50).max(1024),
})

describe('the table of routes', () => {
  it('has every path once, and every pointer once', () => {
    const places = routes.map(({ host, path }) => `${host} ${path}`)
    expect(new Set(places).size).toBe(places.length)
    const pointers = routes.flatMap(({ pointer }) => pointer ?? [])
    expect(Object.keys(toPointers(baseUrl))).toEqual(pointers)
  })

  it('tells a client that knows only the domain what to read next, in a header of the front page', () => {
    for (const told of [
      '</.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"',
      '</openapi.json>; rel="service-desc"; type="application/json"',
      '</agents>; rel="service-doc"; type="text/html"',
      '</index.md>; rel="alternate"; type="text/markdown"',
    ])
      expect(toHomeLinks('site').split(', ')).toContain(told)
    expect(toHomeLinks('game')).toContain('</agents.md>; rel="service-doc"; type="text/markdown"')
  })

  it('produces the API catalog, with the shop and the game as anchors', () => {
    const { linkset } = z.strictObject({ linkset: z.array(context) }).parse(toApiCatalog(sampleShop))
    expect(linkset.map(({ anchor }) => anchor)).toEqual([`${baseUrl}/`, `${gameUrl}/`])
    for (const one of linkset)
      expect(one['service-desc'].map(({ href }) => href)).toEqual([`${one.anchor}openapi.json`])
  })
})

describe('the AI catalog', () => {
  it.each([
    ['the site', baseUrl, toSiteAiCatalog(baseUrl, 'Press', { name: 'buying', path: '/buying.md' })],
    ['the game', gameUrl, toGameAiCatalog(gameUrl, 'Undercroft')],
  ])(
    'of %s names each thing once, by its host, with what people ask for',
    (_, origin, { specVersion, host, entries }) => {
      const { hostname } = new URL(origin)
      expect([specVersion, host.identifier]).toEqual(['1.0', `did:web:${hostname}`])
      expect(new Set(entries.map(({ identifier }) => identifier)).size).toBe(entries.length)
      for (const { identifier, url, type, representativeQueries } of entries) {
        expect(identifier).toMatch(new RegExp(`^urn:air:${RegExp.escape(hostname)}:[a-z]+:[a-z-]+$`))
        expect([url.startsWith(`${origin}/`), type.includes('/')]).toEqual([true, true])
        expect(representativeQueries.length).toBeGreaterThanOrEqual(2)
        expect(representativeQueries.length).toBeLessThanOrEqual(5)
      }
    },
  )
})

it.each([baseUrl, 'http://localhost:4321', 'https://press.example:8443'])(
  'the AI catalog names %s as the document of its keys does',
  (origin) => {
    const { id } = toDidDocument(origin, [])
    const skill = { name: 'buying', path: '/buying.md' } as const
    expect(toSiteAiCatalog(origin, 'Press', skill).host.identifier).toBe(id)
    expect(toGameAiCatalog(origin, 'Undercroft').host.identifier).toBe(id)
  },
)

describe('the list of paid resources', () => {
  const document = toPaidResources(sampleOffers, { ...sampleShop, sellerUrl: baseUrl })

  it('has the fields that directories read, and every product', () => {
    expect(document).toMatchObject({ version: 1, instructions: expect.stringContaining('402') })
    expect(document.resources).toEqual(sampleOffers.map(({ path }) => baseUrl + path))
  })

  it('has the terms of the 402 of each product', () => {
    expect(document.items.map(({ accepts }) => accepts)).toEqual(
      sampleOffers.map((offer) => [
        toRequirements({ network, payTo, asset }, advertisedPrice(offer), maxTimeoutSeconds(offer)),
      ]),
    )
  })

  it('has another accepted token after USDC', () => {
    const alsoAccepts = [{ ...eurc, perUsd: 920_000n }]
    const { items } = toPaidResources(sampleOffers, { ...sampleShop, sellerUrl: baseUrl, alsoAccepts })
    for (const { accepts } of items) {
      expect(accepts.map((terms) => terms.asset)).toEqual([asset, eurc.address])
      expect(BigInt(accepts[1]?.amount ?? 0)).toBe((BigInt(accepts[0]?.amount ?? 0) * 92n + 99n) / 100n)
    }
  })
})

describe('a free skill', () => {
  const skill = makeBuyingSkill(baseUrl)
  const game = makeDocumentRoutes({ gameUrl, wsUrl: 'wss://game.shop.example/ws' })
  const ask = async (path: string): Promise<string> => {
    const handle = game.find((route) => route.path === path)?.handlers.GET
    if (!handle) throw new Error(`${path} is not served`)
    return (await handle(new Request(gameUrl + path), '', '')).text()
  }

  it('that teaches buying is a file in the format that agents load', () => {
    const [, matter = '', body = ''] = skill.text.split(/^---$/m)
    const fields = [...matter.matchAll(/^(\w+): (.+)$/gm)].map(([, key = '', value = '']) => [
      key,
      value.startsWith('"') ? JSON.parse(value) : value,
    ])
    const { name, description } = skillFields.parse(Object.fromEntries(fields))
    expect({ name, description }).toEqual({ name: skill.name, description: skill.description })
    expect(body.split('\n').length).toBeLessThan(500)
  })

  it('is in the index with the digest of its bytes', () => {
    const digest = `sha256:${createHash('sha256').update(skill.text).digest('hex')}`
    expect(toSkillsIndex([skill], baseUrl)).toEqual({
      $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
      skills: [
        {
          name: skill.name,
          type: 'skill-md',
          description: skill.description,
          url: `${baseUrl}/.well-known/agent-skills/${skill.name}/SKILL.md`,
          digest,
        },
      ],
    })
    expect(toEarlySkillsIndex([skill]).skills).toEqual([
      { name: skill.name, description: skill.description, files: ['SKILL.md'] },
    ])
  })

  it('of the game is in its index, with the digest of what the game serves', async () => {
    const { skills } = JSON.parse(await ask('/.well-known/agent-skills/index.json'))
    const served = await ask(new URL(skills[0].url).pathname)
    expect(served).toBe(await ask('/skill'))
    expect(skills[0].digest).toBe(`sha256:${createHash('sha256').update(served).digest('hex')}`)
    expect(skillFields.parse(skills[0]).name).toBe('undercroft')
    expect(await ask('/.well-known/skills/undercroft/SKILL.md')).toBe(served)
  })

  it('is not the only entry of the game: directories find its tool server at every usual address', async () => {
    const cards = await Promise.all(
      ['/mcp/server-card.json', '/mcp/server-cards.json', '/mcp.json'].map((path) => ask(`/.well-known${path}`)),
    )
    expect(new Set(cards).size).toBe(1)
    expect(JSON.parse(cards[0] ?? '')).toMatchObject({
      name: 'example.shop.game/dungeon',
      serverInfo: { name: 'dungeon', version: '1.0.0' },
      remotes: [{ type: 'streamable-http', url: `${gameUrl}/mcp` }],
      transport: { type: 'streamable-http', endpoint: `${gameUrl}/mcp` },
    })
  })
})

describe('security.txt', () => {
  const about = { language: 'en', baseUrl, at: new Date('2026-11-20T00:00:00.000Z') }

  it('has a contact address and expires within a year', () => {
    expect(toSecurityTxt({ ...about, contact: 'press@shop.example' }).split('\n')).toEqual([
      'Contact: mailto:press@shop.example',
      'Expires: 2027-11-19T00:00:00.000Z',
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      '',
    ])
    expect(toSecurityTxt({ ...about, contact: '/about' })).toContain(`Contact: ${baseUrl}/about\n`)
  })

  it('links the page about the site if the publisher named no contact', () => {
    const text = toSecurityTxt({ ...about, contact: '', origin: gameUrl })
    expect(text).toContain(`Contact: ${baseUrl}/about\n`)
    expect(text).toContain(`Canonical: ${gameUrl}/.well-known/security.txt\n`)
  })
})
