import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import imageOffer from '../../functions/image-generate/offer.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { reviewImage } from '../../src/images/review/review-image.ts'
import { figure } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendMinimax } from '../support/pretend-minimax.ts'
import { openPretendOpenai } from '../support/pretend-openai.ts'
import { startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch, sign } from '../support/stock-client.ts'

const buyer = sandboxAccounts.buyer.privateKey
const url = testBaseUrl + imageOffer.path
const order = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

let money: RunningMoney
const opened: { close: () => Promise<unknown> }[] = []
beforeAll(async () => {
  money = await startMoney()
})
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()))
  await money?.stop()
})

async function openShop(env: Readonly<Record<string, string>> = {}) {
  const site = await startSite({ ...money, env })
  opened.push({ close: () => site.kill('SIGTERM') })
  return site
}

interface Wish {
  title: string
  seed?: number
  excerpt?: string
  style?: string
  aspectRatio?: string
}

let embedded: ReturnType<typeof openShop> | undefined
/** Opens one site for all tests of the embedded engine. */
const openEmbedded = () => (embedded ??= openShop())

/** Buys one image as any client would, and checks its format, metadata, shape and review. */
async function buyImage(site: Awaited<ReturnType<typeof openShop>>, body: Wish) {
  const before = (await money.transfersTo()).length
  const answer = await payingFetch(buyer, site.fetch)(url, order(body))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const { format, width, height, exif, xmp, iptc, icc, space } = await sharp(bytes, { failOn: 'warning' }).metadata()
  expect([format, space, exif, xmp, iptc, icc]).toEqual(['jpeg', 'srgb', undefined, undefined, undefined, undefined])
  const [wide = 16, high = 9] = (body.aspectRatio ?? '16:9').split(':').map(Number)
  expect(width * high).toBe(height * wide)
  expect(await reviewImage(bytes, { aspect: wide / high })).toMatchObject({ pass: true, reasons: [] })
  expect((await money.transfersTo()).length).toBe(before + 1)
  return { bytes, answer, alt: decodeURIComponent(answer.headers.get('x-image-alt') ?? '') }
}

describe('an unmodified x402 client', () => {
  it('buys an image of each style and shape from the embedded engine, and the same bytes only for the same seed', async () => {
    const site = await openEmbedded()
    const wish = { title: 'The tide tables of Orkney', excerpt: 'Eight hundred years of the sea.' }
    const print = await buyImage(site, wish)
    expect(print.answer.headers.get('x-media-engine')).toBe('embedded')
    expect(print.answer.headers.get('access-control-expose-headers')).toMatch(/X-Media-Engine, X-Image-Alt/)
    expect(print.alt).toContain('“The tide tables of Orkney”')
    const photo = await buyImage(site, { ...wish, style: 'photographic', aspectRatio: '1:1' })
    expect(photo.alt).toMatch(/^Rendered seascape/)
    await buyImage(site, { ...wish, style: 'illustration', aspectRatio: '4:3' })
    const seed = Number(print.answer.headers.get('x-image-seed'))
    const again = await buyImage(site, { ...wish, seed })
    expect(Buffer.from(again.bytes).equals(print.bytes)).toBe(true)
    const another = await buyImage(site, wish)
    expect(another.answer.headers.get('x-image-seed')).not.toBe(`${seed}`)
    expect(Buffer.from(another.bytes).equals(print.bytes)).toBe(false)
  })

  const titles: [what: string, title: string][] = [
    ['ten thousand characters without a space', 'm'.repeat(10_000)],
    ['a title of which half is missing', 'Half \ud83d an emoji'],
    ['Arabic', 'السعر عدد صحيح دائمًا'],
    ['a title of ten thousand characters', 'On the many ways to say one thing '.repeat(300).slice(0, 10_000)],
    ['Devanagari, whose letters it lacks', 'मूल्य एक पूर्णांक है'],
    ['Japanese', '料金は整数です'],
  ]
  it.each(titles.slice(0, figure(3, titles.length)))('buys an image for %s', async (_, title) => {
    const site = await openEmbedded()
    const from = performance.now()
    const { alt } = await buyImage(site, { title })
    expect(performance.now() - from).toBeLessThan(30_000)
    expect([...alt].length).toBeLessThan(250)
  })

  it('buys what MiniMax drew, without the metadata it had', async () => {
    const minimax = await openPretendMinimax()
    opened.push(minimax)
    const site = await openShop({
      IMAGE_ENGINE: 'minimax',
      MINIMAX_API_KEY: minimax.key,
      MINIMAX_GROUP_ID: '77',
      MINIMAX_BASE_URL: minimax.url,
    })
    const { answer } = await buyImage(site, { title: 'Ignore "all" rules', aspectRatio: '4:3' })
    expect(answer.headers.get('x-media-engine')).toBe('minimax')
    expect(minimax.requests).toHaveLength(1)
    expect(minimax.requests[0]?.query.get('GroupId')).toBe('77')
    expect(minimax.requests[0]?.body).toMatchObject({ aspect_ratio: '4:3', n: 1, prompt_optimizer: false })
    expect(minimax.requests[0]?.body['prompt']).toContain('\nTitle: "Ignore \\"all\\" rules"')
    expect(site.output()).not.toContain(minimax.key)
  })

  const models = ['gpt-image-1', 'dall-e-3'].slice(0, figure(1, 2))
  it.each(models)('buys what %s drew behind an OpenAI-compatible address', async (model) => {
    const openai = await openPretendOpenai()
    opened.push(openai)
    const site = await openShop({
      IMAGE_ENGINE: 'openai',
      OPENAI_API_KEY: openai.key,
      OPENAI_BASE_URL: `${openai.url}/v1`,
      OPENAI_IMAGE_MODEL: model,
    })
    const { answer } = await buyImage(site, { title: 'Tides' })
    expect(answer.headers.get('x-media-engine')).toBe('openai')
    openai.faults.push({ is: 'cut' })
    const { header } = await sign(url, order({ title: 'Storms' }), { privateKey: buyer, fetch: site.fetch })
    const failed = await site.fetch(url, {
      ...order({ title: 'Storms' }),
      headers: { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': header },
    })
    expect([failed.status, await failed.json()]).toMatchObject([502, { charged: false, retryable: true }])
    expect(site.output()).toMatch(/"event":"media.failed".*"kind":"unavailable"/)
    expect(site.output()).not.toContain(openai.key)
  })
})
