import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import packOffer from '../../functions/llms-pack/offer.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { toToolName } from '../../src/mcp/tool-shelf.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { connectBuyer, type McpBuyer, textOf } from '../support/mcp-buyer.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { openPretendWeb, type PretendWeb } from '../support/pretend-web.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { encodeHeader } from '../support/stock-client.ts'
import { testedOffers } from '../support/tested-offers.ts'

let money: RunningMoney
let web: PretendWeb
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  web = await openPretendWeb({ 'news.test': { '/tides': '<title>Tides</title><main><p>The sea rises.</p></main>' } })
  const env = { EGRESS_TEST_HOSTS: web.egress('news.test', 'absent.test'), EGRESS_TEST_CA: web.caFile }
  site = await startSite({ ...money, env })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await web?.close()
  await money?.stop()
})

const skillText = (slug: string): string =>
  readFileSync(join(buildFiles(testBuild()).privateTexts, `skill-${slug}.md`), 'utf8')
/** The transfers that reached the wallet while some work was done, with its result. */
async function movedBy<T>(work: () => Promise<T>) {
  const before = (await money.transfersTo()).length
  const result = await work()
  const moved = (await money.transfersTo()).slice(before)
  return { result, moved: moved.map(({ value }) => value), transactions: moved.map((one) => one.transactionHash) }
}
const freeTools = [
  'search_posts',
  'get_post',
  'search_transcripts',
  'list_products',
  'get_product_preview',
  'get_sales_statistics',
  'library',
]
/** Programs know these names, so that none may disappear. A new product adds one. */
const knownTools = [
  'buy_skill',
  'make_cover_image',
  'read_text_aloud',
  'list_ai_crawlers',
  'pack_web_pages',
  'check_site_for_agents',
  'get_all_posts_as_text',
  'get_all_posts_as_json',
]
const paidTools = [...new Set(testedOffers().map(toToolName))]
const operatorTools = ['sales_report', 'list_unsettled', 'run_job']

describe.each([
  ['legacy', '/mcp'],
  ['modern', '/api/mcp'],
] as const)('a client of the %s revisions at %s', (era, path) => {
  let buyer: McpBuyer
  beforeAll(async () => {
    buyer = await connectBuyer(site.fetch, era, { path })
  })
  afterAll(() => buyer?.close())

  it('finds a tool for everything that is free and for every product, with its price', async () => {
    const { tools } = await buyer.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([...freeTools, ...paidTools])
    expect(paidTools).toEqual(expect.arrayContaining(knownTools))
    for (const { name, description, annotations, inputSchema } of tools) {
      const isPaid = paidTools.includes(name)
      expect([name, /\$\d/.test(description ?? '')]).toEqual([name, isPaid])
      expect([name, annotations]).toEqual([name, isPaid ? { destructiveHint: false } : { readOnlyHint: true }])
      // Some model APIs refuse `anyOf` at the top of a schema.
      expect(Object.keys(inputSchema)).not.toContain('anyOf')
    }
  })

  it('searches, and reads what it found, as a tool and as a resource', async () => {
    const hits = z.object({ results: z.array(z.object({ url: z.string() })) })
    const found = hits.parse((await buyer.call('search_posts', { query: 'payment' })).structuredContent).results
    const url = found[0]?.url ?? ''
    const text = textOf(await buyer.call('get_post', { slug: url }))
    expect(text).toBe(await (await site.fetch(`${url}.md`)).text())
    const { contents } = await buyer.client.readResource({ uri: `${testBaseUrl}${url}.md` })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text }])
    const { resources } = await buyer.client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(expect.arrayContaining([`${testBaseUrl}${url}.md`, `${testBaseUrl}/skills/x402-buyer.md`]))
    await expect(buyer.client.readResource({ uri: `${testBaseUrl}/posts/nowhere.md` })).rejects.toThrow(/not found/i)
  })

  it('learns what is for sale, what it is, and what was sold', async () => {
    const { products } = z
      .object({ products: z.array(z.object({ tool: z.string(), slug: z.string() })) })
      .parse((await buyer.call('list_products')).structuredContent)
    expect(new Set(products.map(({ tool }) => tool))).toEqual(new Set(paidTools))
    for (const slug of ['x402-buyer', 'llms-pack'])
      expect(textOf(await buyer.call('get_product_preview', { slug }))).toContain('USDC on Base')
    const catalog = await (await site.fetch('/api/catalog.json')).json()
    const { contents } = await buyer.client.readResource({ uri: `${testBaseUrl}/api/catalog.json` })
    expect(contents.map((part) => 'text' in part && JSON.parse(part.text))).toEqual([catalog])
    expect(catalog.pointers.mcp).toBe(`${testBaseUrl}/api/mcp`)
    expect((await buyer.call('get_sales_statistics')).structuredContent).toMatchObject({
      last30Days: expect.any(Array),
    })
    const none = await buyer.call('search_transcripts', { query: 'farthing' })
    expect(none.structuredContent).toMatchObject({ ok: true, hits: [] })
  })

  it('gets a code for what is wrong with a call, and a hint', async () => {
    const problem = async (name: string, args: Record<string, unknown>) => {
      const { isError, structuredContent, ...answer } = await buyer.call(name, args)
      expect([isError, structuredContent]).toEqual([true, undefined])
      return JSON.parse(textOf({ isError, ...answer }))
    }
    expect(await problem('search_posts', { query: ' p', limit: 51 })).toMatchObject({
      code: 'invalid-input',
      errors: [{ pointer: '/query' }, { pointer: '/limit' }],
      hint: expect.any(String),
    })
    const nested = (depth: number): unknown => (depth === 0 ? 'post' : { more: nested(depth - 1) })
    for (const name of ['search_posts', 'get_sales_statistics'])
      expect(await problem(name, { query: 'post', deep: nested(40) })).toMatchObject({ code: 'invalid-input' })
    for (const slug of ['nowhere', '../private/skills.json', '__proto__', '%2e%2e/index'])
      expect(await problem('get_post', { slug })).toMatchObject({ code: 'not-found' })
    expect(await problem('get_product_preview', { slug: 'nothing' })).toMatchObject({ code: 'not-found' })
  })

  it('buys a skill for its price, and the bytes are those of the file', async () => {
    // A wallet owns what it has bought at either address, so that each client buys another skill.
    const slug = era === 'legacy' ? 'x402-seller' : 'x402-buyer'
    const { result, moved, transactions } = await movedBy(() => buyer.buy('buy_skill', { slug }))
    expect(textOf(result.bought)).toBe(skillText(slug))
    expect(moved).toEqual([100_000n])
    expect(result.bought._meta).toMatchObject({
      'x402/payment-response': { success: true, transaction: transactions[0], amount: '100000' },
    })
    const { receipt } = z.object({ receipt: z.object({ url: z.string() }) }).parse(result.bought._meta)
    expect(await (await site.fetch(receipt.url)).json()).toMatchObject({
      path: `/skills/${slug}/raw`,
      payer: sandboxAccounts.buyer.address.toLowerCase(),
      transaction: transactions[0],
    })
  })

  it('is told which skills there are when it names none of them', async () => {
    for (const args of [{}, { slug: 'nothing' }, { slug: 1 }])
      expect(await buyer.call('buy_skill', args)).toMatchObject({
        isError: true,
        structuredContent: { code: 'not-found', charged: false, errors: [{ pointer: '/slug' }] },
      })
  })
})

describe('a product bought by a tool', () => {
  let buyer: McpBuyer
  beforeAll(async () => {
    buyer = await connectBuyer(site.fetch)
  })
  afterAll(() => buyer?.close())

  it('is a bundle at the price of its pages, and the same payment fetches the same bytes over HTTP', async () => {
    const input = { urls: ['https://news.test/tides', 'https://absent.test/'] }
    const { result, moved } = await movedBy(async () => {
      const { payment, bought } = await buyer.buy('pack_web_pages', input)
      const overHttp = await site.fetch(packOffer.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'payment-signature': encodeHeader(payment) },
        body: JSON.stringify(input),
      })
      return { bought, status: overHttp.status, bytes: await overHttp.text() }
    })
    expect(textOf(result.bought)).toContain('The sea rises.')
    expect(result.bought._meta).toMatchObject({ product: { headers: { 'X-Pack-Failed': '1' } } })
    expect([result.status, result.bytes]).toEqual([200, textOf(result.bought)])
    expect(moved).toEqual([70_000n])
  })

  it('is delivered as a picture, a sound or a document, by its type', async () => {
    const [image, sound, captioned, document] = await Promise.all([
      buyer.buy('make_cover_image', { title: 'A farthing', style: 'editorial-minimal' }),
      buyer.buy('read_text_aloud', { text: 'A farthing was a quarter of a penny.' }),
      buyer.buy('read_text_aloud', { text: 'Hi.', speed: 2, model: 'speech-2.8-turbo', captions: true }),
      buyer.buy('check_site_for_agents', { siteUrl: 'https://news.test/' }),
    ])
    const data = z.object({ data: z.base64() })
    const bytesOf = (part: unknown) => Buffer.from(data.parse(part).data, 'base64')
    expect(image.bought.content).toMatchObject([
      { type: 'image', mimeType: 'image/jpeg' },
      { type: 'text', text: expect.stringContaining('X-Image-Alt: ') },
      { type: 'resource_link' },
    ])
    expect(bytesOf(image.bought.content[0]).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect(sound.bought.content[0]).toMatchObject({ type: 'audio', mimeType: 'audio/mpeg' })
    expect(bytesOf(sound.bought.content[0]).length).toBeGreaterThan(5000)
    expect(captioned.bought.structuredContent).toMatchObject({
      sentences: [{ text: 'Hi.' }],
      webVtt: expect.stringMatching(/^WEBVTT[\s\S]*Hi\./),
    })
    expect(captioned.bought._meta).toMatchObject({ product: { fileName: 'narration.json' } })
    expect(document.bought.structuredContent).toEqual(JSON.parse(textOf(document.bought)))
    expect(document.bought.structuredContent).toMatchObject({ surfaces: expect.any(Array) })
  })

  it('is a resource link when it is long, to the same bytes as over HTTP for the same payment', async () => {
    const { result, moved } = await movedBy(async () => {
      const { payment, bought } = await buyer.buy('get_all_posts_as_json')
      const overHttp = await site.fetch('/api/export/posts', {
        headers: { 'payment-signature': encodeHeader(payment) },
      })
      return { bought, text: await overHttp.text() }
    })
    expect(JSON.stringify(result.bought).length).toBeLessThan(4000)
    const [, part] = result.bought.content
    const { uri, size } = z.object({ uri: z.string(), size: z.int() }).parse(part)
    expect([part?.type, size]).toEqual(['resource_link', Buffer.byteLength(result.text)])
    const { contents } = await buyer.client.readResource({ uri })
    const [whole] = z.tuple([z.object({ mimeType: z.string(), text: z.string() })]).parse(contents)
    expect(whole.mimeType).toMatch(/^application\/json/)
    // Not compared by the matcher, which would print a book.
    expect(whole.text === result.text).toBe(true)
    const unknown = uri.replace(/r_[0-9a-f]+/, (id) => `r_${'0'.repeat(id.length - 2)}`)
    await expect(buyer.client.readResource({ uri: unknown })).rejects.toThrow(/not found/i)
    expect(moved).toEqual([500_000n])
  })

  it('is delivered again for the same payment when the response was lost, and is paid once', async () => {
    let cuts = 1
    const cutting: typeof fetch = async (input, init) => {
      const response = await site.fetch(input, init)
      if (String(init?.body).includes('x402/payment') && cuts-- > 0) {
        await response.arrayBuffer()
        throw new TypeError('the connection broke')
      }
      return response
    }
    const unlucky = await connectBuyer(cutting)
    const args = { slug: 'feed-doctor' }
    const { result, moved } = await movedBy(async () => {
      const payment = await unlucky.sign(await unlucky.call('buy_skill', args))
      await expect(unlucky.call('buy_skill', args, payment)).rejects.toThrow()
      return [await unlucky.call('buy_skill', args, payment), await unlucky.call('buy_skill', args, payment)]
    })
    await unlucky.close()
    expect(result[0]).toEqual(result[1])
    expect(result.map(textOf)).toEqual([skillText('feed-doctor'), skillText('feed-doctor')])
    expect(moved).toEqual([100_000n])
  })

  it.each([
    [2, 'ssrf-safe-fetch'],
    [5, 'mcp-server-craft'],
  ])('is the same for %i copies of the call at once, and is paid once', async (copies, slug) => {
    const args = { slug }
    const { result, moved } = await movedBy(async () => {
      const payment = await buyer.sign(await buyer.call('buy_skill', args))
      return Promise.all(Array.from({ length: copies }, () => buyer.call('buy_skill', args, payment)))
    })
    expect(new Set(result.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(result.map(textOf)).toEqual(Array(copies).fill(skillText(slug)))
    expect(moved).toEqual([100_000n])
  })

  it('is not charged while the call is refused, and the same payment buys the corrected call', async () => {
    const good = { urls: ['https://news.test/tides'] }
    const { result, moved } = await movedBy(async () => {
      const payment = await buyer.sign(await buyer.call('pack_web_pages', good))
      const refused = await buyer.call('pack_web_pages', { ...good, typo: 1 }, payment)
      const failed = await buyer.call('pack_web_pages', { urls: ['https://absent.test/'] }, payment)
      return { refused, failed, bought: await buyer.call('pack_web_pages', good, payment) }
    })
    expect(result.refused.structuredContent).toMatchObject({ code: 'invalid-input', charged: false })
    expect(result.failed.structuredContent).toMatchObject({ code: 'work-failed', charged: false })
    expect([result.bought.isError, moved]).toEqual([false, [60_000n]])
  })

  it('is not sold for a payment that bought something else', async () => {
    const { result, moved } = await movedBy(async () => {
      const { payment } = await buyer.buy('buy_skill', { slug: 'podcast-from-posts' })
      return buyer.call('buy_skill', { slug: 'sqlite-in-production' }, payment)
    })
    expect(result).toMatchObject({ isError: true, structuredContent: { error: 'payment_already_used' } })
    expect(JSON.stringify(result)).not.toContain(skillText('sqlite-in-production').slice(-200, -100))
    expect(moved).toEqual([100_000n])
  })
})

describe('limits', () => {
  let busy: RunningSite
  beforeAll(async () => {
    busy = await startSite({ ...money, env: { RATE_LIMITS: 'on' } })
  })
  afterAll(() => busy?.kill('SIGTERM'))

  it('apply to many requests and to failed payments, but never to a purchase that was begun', async () => {
    const buyer = await connectBuyer(busy.fetch)
    const { payment } = await buyer.buy('buy_skill', { slug: 'x402-buyer' })
    const post = async (name: string, paid: unknown) => {
      const params = { name, arguments: { slug: 'x402-buyer' }, _meta: { 'x402/payment': paid } }
      const { status, headers } = await busy.fetch('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: '*/*' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      return { status, limit: headers.get('ratelimit')?.split(';')[0] }
    }
    const flood = async () => {
      const junk = await Promise.all(Array.from({ length: 60 }, () => post('buy_skill', 'nothing')))
      const [last, begun] = await Promise.all([post('buy_skill', 'nothing'), post('buy_skill', payment)])
      return { waits: [...junk, last].find(({ status }) => status === 429)?.limit, begun: begun.status }
    }
    await expect.poll(flood).toEqual({ waits: '"failed-payments"', begun: 200 })
    // A payment with a free tool is no way around the limit for free tools.
    expect(await post('list_products', payment)).toEqual({ status: 200, limit: '"free"' })
    await buyer.close()
  })
})

describe('the address of the tools', () => {
  const ask = (init: RequestInit & { headers?: Record<string, string> }) =>
    site.fetch('/api/mcp', { redirect: 'manual', ...init })
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask({ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })

  it('describes them to programs, redirects people to a page, and has no event stream', async () => {
    const described = await ask({ headers: { accept: 'application/json, text/event-stream' } })
    expect(await described.json()).toMatchObject({
      name: 'farthing',
      url: `${testBaseUrl}/api/mcp`,
      tools: [...freeTools, ...paidTools].map((name) => ({ name })),
    })
    const page = await ask({ headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([page.status, page.headers.get('location')]).toEqual([303, `${testBaseUrl}/agents/mcp`])
    for (const form of ['/agents/mcp', '/agents/mcp.md'])
      expect(await (await site.fetch(form)).text()).toContain('search_transcripts')
    expect((await ask({ headers: { accept: 'text/event-stream' } })).status).toBe(405)
    expect((await ask({ method: 'DELETE' })).status).toBe(405)
  })

  it('serves command-line clients, and pages of this site and this machine, but of no other origin', async () => {
    const answer = await post(JSON.stringify(ping(1)), { accept: '*/*' })
    expect([answer.status, await answer.json()]).toMatchObject([200, { id: 1, result: {} }])
    for (const [origin, status] of [
      [testBaseUrl, 200],
      ['http://localhost:6274', 200],
      ['https://evil.example', 403],
      ['null', 403],
    ] as const) {
      const asked = await post(JSON.stringify(ping(1)), { accept: '*/*', origin })
      expect([origin, asked.status]).toEqual([origin, status])
    }
    const preflight = await ask({ method: 'OPTIONS', headers: { origin: 'http://localhost:6274' } })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('Mcp-Protocol-Version'),
    ])
  })

  it('refuses a call of the operator’s tools with where to sign in, and does nothing', async () => {
    const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })
    for (const message of [...operatorTools.map(call), [ping(2), call('sales_report')]]) {
      const refused = await post(JSON.stringify(message), { accept: '*/*' })
      const where = `resource_metadata="${testBaseUrl}/.well-known/oauth-protected-resource/api/mcp"`
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining(where)])
    }
    const forged = await post(JSON.stringify(call('list_unsettled')), { accept: '*/*', authorization: 'Bearer x' })
    expect(forged.status).toBe(401)
  })

  it('refuses a body that is too large, and a batch with too many messages', async () => {
    const large = await post(JSON.stringify({ ...ping(1), params: { padding: 'x'.repeat(1024 * 1024) } }))
    expect([large.status, await large.json()]).toMatchObject([413, { error: { message: expect.any(String) } }])
    const batch = await post(JSON.stringify(Array.from({ length: 21 }, (_, id) => ping(id))))
    expect(batch.status).toBe(400)
  })
})
