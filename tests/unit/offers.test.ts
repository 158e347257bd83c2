import { describe, expect, it } from 'vitest'
import packOffer from '../../functions/llms-pack/offer.ts'
import { usd } from '../../src/core/money.ts'
import { advertisedPrice, isDynamic, maxTimeoutSeconds, type Offer, priceOf } from '../../src/offers/offer.ts'
import { sampleOffers } from '../support/sample-shop.ts'

const bySlug = (slug: string): Offer => {
  const offer = sampleOffers.find((candidate) => candidate.slug === slug)
  if (!offer) throw new Error(`no offer ${slug}`)
  return offer
}

const urls = (count: number) => Array.from({ length: count }, (_, place) => `https://example.com/${place}`)
const block = (text: string) => ({ _type: 'block', children: [{ _type: 'span', text }] })

describe('the products on sale', () => {
  it('are skills by slug, hosted APIs and content, with explicit positions first', () => {
    const known = [
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `skill/skill-${letter}`),
      ...['image-generate', 'narrate', 'bot-catalog', 'llms-pack', 'session-status'],
      ...['llms-full', 'posts-export'],
    ]
    const ids = sampleOffers.map(({ id }) => id)
    expect(ids.filter((id) => known.includes(id))).toEqual(known)
    const lanes = sampleOffers.map(({ lane }) => ['skill', 'hostedApi', 'content'].indexOf(lane))
    expect(lanes).toEqual(lanes.toSorted((one, other) => one - other))
  })

  it.each([
    ['skill-a', 'GET', '/skills/skill-a/raw', '0.10', 'text/plain', 220],
    ['image-generate', 'POST', '/api/x402/media/image/generate', '0.05', 'image/jpeg', 380],
    ['narrate', 'POST', '/api/x402/media/narrate', '0.05', 'audio/mpeg', 320],
    ['bot-catalog', 'GET', '/api/x402/agent-seo/bot-catalog', '0.05', 'application/json', 220],
    ['llms-pack', 'POST', '/api/x402/llms/pack', '0.06', 'text/plain', 260],
    ['session-status', 'POST', '/api/x402/cms/session-status', '0.05', 'application/json', 260],
    ['llms-full', 'GET', '/llms-full.txt', '0.25', 'text/plain', 220],
    ['posts-export', 'GET', '/api/export/posts', '0.50', 'application/json', 220],
  ])('include %s by %s %s for $%s as %s', (slug, method, path, price, mimeType, timeout) => {
    const offer = bySlug(slug)
    expect(offer).toMatchObject({ method, path, mimeType })
    expect(advertisedPrice(offer)).toBe(usd(price))
    expect(maxTimeoutSeconds(offer)).toBe(timeout)
  })

  it('all state what the buyer gets, an example of it and its file name', () => {
    for (const offer of sampleOffers) {
      expect(offer.title.length).toBeGreaterThan(5)
      expect(offer.excerpt.length).toBeGreaterThan(20)
      expect(offer.delivers.length).toBeGreaterThan(0)
      for (const sentence of offer.delivers) expect(sentence).toMatch(/\.$/)
      expect(offer.sample).not.toBe('')
      expect(offer.fileName).toMatch(/^[\w.-]+$/)
    }
  })

  it('have examples that are valid and cost at least the advertised price', () => {
    for (const offer of sampleOffers)
      expect(priceOf(offer, offer.input.parse(offer.example))).toBeGreaterThanOrEqual(advertisedPrice(offer))
  })
})

describe('the price of a pack', () => {
  it.each([
    [1, 60_000n],
    [5, 100_000n],
    [12, 170_000n],
    [18, 230_000n],
    [20, 250_000n],
  ])('of %i pages is %i micro-USD', (count, price) => {
    expect(priceOf(packOffer, packOffer.input.parse({ urls: urls(count) }))).toBe(price)
  })

  it('is advertised as the minimum, with the maximum and the rule', () => {
    expect(isDynamic(bySlug('llms-pack'))).toBe(true)
    expect(packOffer.price).toMatchObject({
      from: 60_000n,
      most: 250_000n,
      rule: '$0.05 for the call and $0.01 for each URL',
    })
  })

  it('counts a repeated page twice', () => {
    expect(priceOf(packOffer, packOffer.input.parse({ urls: ['https://a.example/', 'https://a.example/'] }))).toBe(
      70_000n,
    )
  })
})

describe('defaults', () => {
  it.each([
    ['image-generate', { title: 'T' }, { title: 'T', style: 'editorial-minimal', aspectRatio: '16:9' }],
    ['narrate', { text: 'T' }, { text: 'T', voiceId: 'English_SereneWoman', speed: 1, model: 'speech-2.8-hd' }],
    ['llms-pack', { urls: ['https://a.example'] }, { urls: ['https://a.example'], maxCharsPerPage: 20_000 }],
    ['session-status', { siteUrl: 'https://a.example/x' }, { siteUrl: 'https://a.example/x' }],
    ['bot-catalog', { other: '1' }, {}],
    ['llms-full', { other: '1' }, {}],
  ])('of %s fill in missing fields', (slug, input, output) => {
    expect(bySlug(slug).input.parse(input)).toEqual(output)
  })
})

const accepted: readonly [slug: string, input: unknown][] = [
  ['image-generate', { title: 'x'.repeat(60_000) }],
  ['image-generate', { title: '🪙' }],
  ['image-generate', { title: 'T', excerpt: '', style: 'photographic', aspectRatio: '4:3' }],
  ['narrate', { text: 'a'.repeat(9500) }],
  ['narrate', { text: '🪙'.repeat(9500) }],
  ['narrate', { text: 'T', blocks: [{}].concat([block('x')]) }],
  ['narrate', { text: 'T', blocks: [] }],
  ['narrate', { text: 'T', blocks: [block(' ')] }],
  ['narrate', { text: 'T', blocks: [block('a'.repeat(9501))] }],
  ['narrate', { blocks: [block('Hello'), { _type: 'image' }] }],
  ['narrate', { blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] }],
  ['narrate', { blocks: Array.from({ length: 500 }, () => block('x')) }],
  ['narrate', { text: 'T', voiceId: 'Any_Other', speed: 0.5, model: 'speech-2.8-turbo' }],
  ['narrate', { text: 'T', voiceId: 'v'.repeat(128), speed: 2 }],
  ['bot-catalog', { inspect: '1' }],
  ['llms-pack', { urls: urls(20), maxCharsPerPage: 1000 }],
  ['llms-pack', { urls: urls(1), maxCharsPerPage: 50_000 }],
]

const refused: readonly [slug: string, input: unknown, path: PropertyKey[]][] = [
  ['image-generate', {}, ['title']],
  ['image-generate', { title: '' }, ['title']],
  ['image-generate', { title: ' \t\u00a0\u200b\u0000' }, ['title']],
  ['image-generate', { title: 1 }, ['title']],
  ['image-generate', { title: 'T', excerpt: null }, ['excerpt']],
  ['image-generate', { title: 'T', style: 'Photographic' }, ['style']],
  ['image-generate', { title: 'T', aspectRatio: '3:2' }, ['aspectRatio']],
  ['image-generate', { title: 'T', prompt: 'x' }, []],
  ['image-generate', [], []],
  ['image-generate', null, []],
  ['narrate', {}, ['text']],
  ['narrate', { text: '' }, ['text']],
  ['narrate', { text: ' \n\t ' }, ['text']],
  ['narrate', { text: 'a'.repeat(9501) }, ['text']],
  ['narrate', { text: '🪙'.repeat(9501) }, ['text']],
  ['narrate', { text: null }, ['text']],
  ['narrate', { blocks: [] }, ['blocks']],
  ['narrate', { blocks: ['x'] }, ['blocks', 0]],
  ['narrate', { blocks: [[]] }, ['blocks', 0]],
  ['narrate', { blocks: [block(' ')] }, ['blocks']],
  ['narrate', { blocks: [block('a'.repeat(9501))] }, ['blocks']],
  ['narrate', { blocks: Array.from({ length: 501 }, () => block('x')) }, ['blocks']],
  ['narrate', { text: 'T', blocks: Array.from({ length: 501 }, () => block('x')) }, ['blocks']],
  ['narrate', { text: 'T', speed: 0.49 }, ['speed']],
  ['narrate', { text: 'T', speed: 2.01 }, ['speed']],
  ['narrate', { text: 'T', speed: '1' }, ['speed']],
  ['narrate', { text: 'T', speed: Number.NaN }, ['speed']],
  ['narrate', { text: 'T', model: 'speech-1' }, ['model']],
  ['narrate', { text: 'T', voiceId: 'v'.repeat(129) }, ['voiceId']],
  ['narrate', { text: 'T', voice: 'x' }, []],
  ['bot-catalog', { inspect: '2' }, ['inspect']],
  ['bot-catalog', { inspect: '' }, ['inspect']],
  ['llms-pack', {}, ['urls']],
  ['llms-pack', { urls: [] }, ['urls']],
  ['llms-pack', { urls: urls(21) }, ['urls']],
  ['llms-pack', { urls: 'https://a.example' }, ['urls']],
  ['llms-pack', { urls: ['https://a.example', 'http://b.example'] }, ['urls', 1]],
  ['llms-pack', { urls: [1] }, ['urls', 0]],
  ['llms-pack', { urls: urls(1), maxCharsPerPage: 999 }, ['maxCharsPerPage']],
  ['llms-pack', { urls: urls(1), maxCharsPerPage: 50_001 }, ['maxCharsPerPage']],
  ['llms-pack', { urls: urls(1), maxCharsPerPage: 2000.5 }, ['maxCharsPerPage']],
  ['llms-pack', { urls: urls(1), maxCharsPerPage: '20000' }, ['maxCharsPerPage']],
  ['llms-pack', { urls: urls(1), extra: true }, []],
  ['session-status', {}, ['siteUrl']],
  ['session-status', { siteUrl: '/relative' }, ['siteUrl']],
  ['session-status', { siteUrl: 'http://a.example' }, ['siteUrl']],
  ['session-status', { siteUrl: 'https://10.0.0.1' }, ['siteUrl']],
  ['session-status', { siteUrl: 'https://a.example', deep: true }, []],
]

describe('input', () => {
  it.each(accepted)('of %s is accepted: %.80j', (slug, input) => {
    expect(bySlug(slug).input.safeParse(input).error?.issues).toBeUndefined()
  })

  it.each(refused)('of %s is refused: %.80j', (slug, input, path) => {
    expect(
      bySlug(slug)
        .input.safeParse(input)
        .error?.issues.map((issue) => issue.path),
    ).toContainEqual(path)
  })
})
