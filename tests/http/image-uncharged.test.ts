import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import imageOffer from '../../functions/image-generate/offer.ts'
import { FetchFailed, type GuardedFetch } from '../../src/fetching/fetched.ts'
import { openCoverStudio } from '../../src/images/covers/make-cover.ts'
import type { ImageEngine } from '../../src/images/image-engine.ts'
import { limitConcurrency } from '../../src/workers/limit-concurrency.ts'
import { openImageShop } from '../support/image-shop.ts'
import { minimaxError, openPretendMinimax } from '../support/pretend-minimax.ts'
import { openaiError, openPretendOpenai } from '../support/pretend-openai.ts'
import { htmlReply, jsonReply, type ProviderFault } from '../support/pretend-provider.ts'
import { blankPicture, providerPicture } from '../support/provider-picture.ts'

const studio = openCoverStudio({ threads: 2 })
afterAll(() => studio.close())

let minimax: Awaited<ReturnType<typeof openPretendMinimax>>
let openai: Awaited<ReturnType<typeof openPretendOpenai>>
beforeEach(async () => {
  minimax = await openPretendMinimax()
  openai = await openPretendOpenai()
})
afterEach(async () => {
  await minimax.close()
  await openai.close()
})

const minimaxShop = () =>
  openImageShop(studio, {
    choice: { is: 'minimax', baseUrl: minimax.url, groupId: undefined, key: () => minimax.key },
  })
const openaiShop = (model = 'gpt-image-1', fetchPublic?: GuardedFetch) =>
  openImageShop(studio, {
    choice: { is: 'openai', baseUrl: `${openai.url}/v1`, model, key: () => openai.key },
    ...(fetchPublic && { fetchPublic }),
  })

type Shop = Awaited<ReturnType<typeof openImageShop>>

/** Checks that a purchase is refused without a settlement, and that the same signature buys later, for one transfer. */
async function expectUncharged(shop: Shop, status: number) {
  const header = await shop.sign()
  const failed = await shop.buy(header)
  const problem = await failed.json()
  expect([failed.status, problem.charged, shop.chain.calls.settle]).toEqual([status, false, 0])
  expect(JSON.stringify([problem, shop.reports, shop.errors])).not.toMatch(/test-key/)
  const bought = await shop.buy(header)
  expect([bought.status, bought.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect([shop.chain.calls.transfers, (await shop.sales()).count]).toEqual([1, 1])
  return problem
}

const instead = (body: unknown): ProviderFault => ({ is: 'instead', reply: jsonReply(body) })
const ok = { base_resp: { status_code: 0, status_msg: 'success' } }
const pictureOf = (bytes: Buffer): ProviderFault =>
  instead({ ...ok, data: { image_base64: [bytes.toString('base64')] } })

describe('a provider that fails costs the buyer nothing, and is not asked a second time for what it may have billed', () => {
  it.each<[string, ProviderFault]>([
    ['breaks off', { is: 'cut' }],
    ['limits the rate', { is: 'instead', reply: minimaxError(1002) }],
    ['has no balance left', { is: 'instead', reply: minimaxError(1008) }],
    ['does not know the key', { is: 'instead', reply: minimaxError(1004) }],
    ['is down', { is: 'instead', reply: htmlReply(503) }],
  ])('when it %s', async (_, fault) => {
    const shop = await minimaxShop()
    minimax.faults.push(fault)
    const problem = await expectUncharged(shop, 502)
    expect(problem).toMatchObject({ retryable: true, type: expect.stringMatching(/work-failed$/) })
    expect([minimax.requests.length, shop.reports.length]).toEqual([2, 1])
  })

  it('when it refuses the content, and then the buyer is told so', async () => {
    for (const [shop, faults, reply] of [
      [await minimaxShop(), minimax.faults, minimaxError(1026)],
      [await openaiShop(), openai.faults, openaiError(400, 'moderation_blocked')],
    ] as const) {
      faults.push({ is: 'instead', reply })
      const problem = await expectUncharged(shop, 400)
      expect(problem).toMatchObject({ retryable: false, errors: [{ pointer: '/title' }] })
    }
  })
})

describe('an answer without an image counts as a failed review: one more is asked for, and then it is given up uncharged', () => {
  it.each<[string, () => ProviderFault | Promise<ProviderFault>]>([
    ['a page', () => ({ is: 'instead', reply: htmlReply() })],
    ['nothing', () => ({ is: 'instead', reply: { body: '' } })],
    ['bytes without end', () => ({ is: 'endless' })],
    ['no picture', () => instead({ ...ok, data: { image_base64: [] } })],
    ['wrong base64', () => instead({ ...ok, data: { image_base64: ['not!base64'] } })],
    ['text as a picture', () => pictureOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['half a picture', async () => pictureOf((await providerPicture(1280, 720)).subarray(0, 40_000))],
    ['a thumbnail', async () => pictureOf(await providerPicture(320, 180))],
    ['a blank sheet', async () => pictureOf(await blankPicture(1280, 720))],
  ])('when it is %s', async (_, toFault) => {
    const shop = await minimaxShop()
    const fault = await toFault()
    minimax.faults.push(fault, fault)
    const problem = await expectUncharged(shop, 502)
    expect(problem.retryable).toBe(true)
    const seeds = minimax.requests.map(({ body }) => body['seed'])
    expect([seeds.length, new Set(seeds.slice(0, 2)).size, shop.reports.length]).toEqual([3, 2, 2])
  })

  it('and the operator hears why it is not a picture', async () => {
    const shop = await minimaxShop()
    const half = (await providerPicture(1280, 720)).subarray(0, 40_000)
    minimax.faults.push(pictureOf(half), pictureOf(Buffer.from('<svg/>')))
    await shop.buy(await shop.sign())
    expect(shop.reports).toEqual([
      expect.stringMatching(/^unusable: .* what is not a picture < .*premature end/i),
      expect.stringMatching(/^unusable: .* what is not a picture < begins like no JPEG/),
    ])
  })

  it('when the same picture comes for different requests: it is a placeholder', async () => {
    const shop = await minimaxShop()
    const placeholder = pictureOf(await providerPicture(1280, 720))
    minimax.faults.push(placeholder, placeholder, placeholder, placeholder)
    expect((await shop.buy(await shop.sign())).status).toBe(200)
    expect((await shop.buy(await shop.sign())).status).toBe(200)
    expect((await shop.buy(await shop.sign(), { title: 'Another' })).status).toBe(502)
    expect(shop.reports).toEqual(['review: repeats another picture', 'review: repeats another picture'])
  })

  it('and the second is sold when it is good', async () => {
    const shop = await minimaxShop()
    minimax.faults.push(pictureOf(await blankPicture(1280, 720)))
    expect((await shop.buy(await shop.sign())).status).toBe(200)
    expect([shop.chain.calls.transfers, minimax.requests.length]).toEqual([1, 2])
  })
})

describe("a service with OpenAI's protocol that sends an address instead of the picture", () => {
  const named = (url: string): ProviderFault => instead({ data: [{ url }] })

  it('has the picture fetched without the key', async () => {
    const asked: string[] = []
    const shop = await openaiShop('other', async (url) => {
      asked.push(url)
      const body = await providerPicture(1536, 1024)
      return { url, status: 200, headers: new Map(), body, isCut: false, redirects: 0, durationMs: 1 }
    })
    openai.faults.push(named('https://pictures.example/1.png'))
    expect((await shop.buy(await shop.sign())).status).toBe(200)
    expect(asked).toEqual(['https://pictures.example/1.png'])
  })

  it('sells nothing when that address may not be fetched', async () => {
    const shop = await openaiShop('other', () => Promise.reject(new FetchFailed('refused')))
    openai.faults.push(named('http://169.254.169.254/'), named('http://169.254.169.254/'))
    await expectUncharged(shop, 502)
  })
})

/** An engine that generates what a test says. */
const engineOf = (generate: ImageEngine['generate'], name: ImageEngine['name'] = 'minimax'): ImageEngine => ({
  name,
  heedsSeed: true,
  generate,
})
const good = async () => ({ jpeg: await providerPicture(1280, 720), alt: 'A hill' })

describe('the image product', () => {
  it('promises the same picture for a seed only if its engine heeds seeds', async () => {
    const seedOf = async (shop: Shop) => (await shop.buy(await shop.sign(), { seed: 7 })).headers.get('x-image-seed')
    expect(await seedOf(await minimaxShop())).toBe('7')
    expect(await seedOf(await openaiShop())).toBeNull()
    expect(openai.requests.map(({ body }) => 'seed' in body)).toEqual([false])
  })

  it('settles although the work took nearly all of its time', async () => {
    let pass = () => {}
    const shop = await openImageShop(studio, {
      engine: engineOf(() => {
        pass()
        return good()
      }),
    })
    pass = () => {
      shop.clock.ms += (imageOffer.workSeconds - 1) * 1000
    }
    // The shortest authorization that is accepted at all.
    const validBefore = Math.ceil(shop.clock.ms / 1000) + imageOffer.workSeconds + 40
    expect((await shop.buy(await shop.sign({ validBefore }))).status).toBe(200)
    expect(shop.chain.calls.transfers).toBe(1)
  })

  it('does not ask again when there is no time left for another attempt', async () => {
    let asked = 0
    const shop = await openImageShop(studio, {
      engine: engineOf(async () => {
        asked += 1
        shop.clock.ms += 100_000
        return { jpeg: await blankPicture(1280, 720), alt: '' }
      }),
    })
    expect((await shop.buy(await shop.sign())).status).toBe(502)
    expect(asked).toBe(1)
  })

  it('refuses orders beyond its capacity before anything is claimed, and accepts them when there is room', async () => {
    const release: (() => void)[] = []
    const limited = limitConcurrency(1)
    const slow = () => new Promise<void>((resolve) => release.push(resolve)).then(good)
    const shop = await openImageShop(studio, { engine: engineOf(() => limited(slow)), concurrency: 2 })
    const [first, second, third] = [await shop.sign(), await shop.sign(), await shop.sign()]
    const inside = [shop.buy(first), shop.buy(second)]
    await expect.poll(() => shop.chain.calls.verify).toBe(2)
    const refused = await shop.buy(third)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
    expect(await shop.db.selectFrom('payment').selectAll().execute()).toHaveLength(2)
    await expect.poll(() => release.length).toBe(1)
    release[0]?.()
    await expect.poll(() => release.length).toBe(2)
    release[1]?.()
    await Promise.all(inside)
    const later = shop.buy(third)
    await expect.poll(() => release.length).toBe(3)
    release[2]?.()
    expect((await later).status).toBe(200)
  })
})
