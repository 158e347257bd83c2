import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { toFingerprint } from '../../src/offers/fingerprint.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { decodeHeader, payingFetch, sign } from '../support/stock-client.ts'
import { openTestLedger } from '../support/test-databases.ts'

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

const buyer = sandboxAccounts.buyer.privateKey

describe('an unmodified x402 client', () => {
  it.each([
    ['a skill', '/skills/x402-seller/raw', 100_000n, 'text/plain; charset=utf-8'],
    ['every post as text', '/llms-full.txt', 250_000n, 'text/plain; charset=utf-8'],
    ['the crawler catalog', '/api/x402/agent-seo/bot-catalog', 50_000n, 'application/json; charset=utf-8'],
    ['the posts export', '/api/export/posts', 500_000n, 'application/json; charset=utf-8'],
  ])('buys %s, and the chain shows one transfer of the price to the wallet', async (_, path, price, type) => {
    const before = await money.transfersTo()
    const answer = await payingFetch(buyer, site.fetch)(testBaseUrl + path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    expect((await answer.text()).length).toBeGreaterThan(1000)
    const moved = (await money.transfersTo()).slice(before.length)
    expect(moved.map(({ from, value }) => [from?.toLowerCase(), value])).toEqual([
      [sandboxAccounts.buyer.address.toLowerCase(), price],
    ])
    const settled = decodeHeader(answer.headers.get('payment-response'))
    expect(settled).toMatchObject({ success: true, transaction: moved[0]?.transactionHash })

    const receiptId = answer.headers.get('x-receipt-id')
    const receipt = await (await site.fetch(`/api/receipts/${receiptId}.json`)).json()
    expect(receipt).toMatchObject({
      id: receiptId,
      path,
      amountMicroUsd: price.toString(),
      asset: usdcAddress,
      network: 'eip155:8453',
      payTo: sandboxPayTo,
      transaction: moved[0]?.transactionHash,
    })
    const page = await site.fetch(`/receipts/${receiptId}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(moved[0]?.transactionHash)
  })

  it('is counted by the statistics at once', async () => {
    const stats = await (await site.fetch('/api/stats.json')).json()
    expect(stats.totalTransactions).toBe(4)
    expect(stats.topResources).toEqual([
      { path: '/api/export/posts', count: 1, totalCents: 50 },
      { path: '/llms-full.txt', count: 1, totalCents: 25 },
      { path: '/skills/x402-seller/raw', count: 1, totalCents: 10 },
      { path: '/api/x402/agent-seo/bot-catalog', count: 1, totalCents: 5 },
    ])
    expect(stats.last30Days).toHaveLength(30)
    // The sum of two days, because midnight may pass between a sale and the request.
    const [yesterday, today] = stats.last30Days.slice(-2)
    expect(yesterday.count + today.count).toBe(4)
  })
})

it.each([
  ['a skill', '/skills/podcast-from-posts/raw', '/skills/a-former-skill/raw'],
  ['a function', '/api/x402/agent-seo/bot-catalog', '/api/x402/a-former-function'],
])(
  'a purchase of %s that is not sold any more is delivered again to the request that has paid',
  async (_, path, former) => {
    const { header } = await sign(testBaseUrl + path, undefined, { privateKey: buyer, fetch: site.fetch })
    const headers = { 'payment-signature': header }
    const bought = await (await site.fetch(path, { headers })).text()
    const db = await openTestLedger(site.dataDir)
    // Changes the row as if it had been sold at the former address.
    const sold = { path: former, offer_id: 'former', fingerprint: toFingerprint({ id: 'former' }, {}), sent: null }
    await db.updateTable('payment').set(sold).where('path', '=', path).execute()
    await db.destroy()
    const again = await site.fetch(former, { headers })
    expect([again.status, await again.text(), again.headers.get('x-receipt-id')]).toEqual([
      200,
      bought,
      expect.stringMatching(/^r_/),
    ])
    const asked = [await site.fetch(former), await site.fetch(`${former}?size=2`, { headers })]
    expect([asked[0]?.status, asked[1]?.status, await asked[1]?.json()]).toMatchObject([404, 400, { charged: true }])
  },
)

describe('a payment header from another program', () => {
  it('buys once and is delivered again, byte for byte', async () => {
    const url = `${testBaseUrl}/skills/x402-buyer/raw`
    const { header } = await sign(url, undefined, { privateKey: buyer, fetch: site.fetch })
    const ask = () => site.fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
    const before = await money.transfersTo()
    const copies = await Promise.all([ask(), ask(), ask()])
    expect(copies.map(({ status }) => status)).toEqual([200, 200, 200])
    const texts = await Promise.all([...copies, await ask()].map((copy) => copy.text()))
    expect(new Set(texts).size).toBe(1)
    expect(await money.transfersTo()).toHaveLength(before.length + 1)
  })

  it('gets the same response whether or not its request passes through Astro, as it does with a query', async () => {
    const url = `${testBaseUrl}/skills/ssrf-safe-fetch/raw`
    const { header } = await sign(url, undefined, { privateKey: buyer, fetch: site.fetch })
    const ask = async (from: string, payment: string, more: Record<string, string> = {}) => {
      const answer = await site.fetch(from, { headers: { 'PAYMENT-SIGNATURE': payment, ...more } })
      const named = Object.fromEntries(answer.headers)
      expect(named['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      // Left out is what differs each time, and how Node.js declares the length.
      const { date, 'x-request-id': _, 'payment-required': terms, 'transfer-encoding': __, ...headers } = named
      if (answer.status !== 200) delete headers['content-length']
      return { status: answer.status, hasTerms: terms !== undefined, headers, body: await answer.text() }
    }
    const bought = await ask(url, header)
    expect([bought.status, bought.headers['content-security-policy'] !== undefined]).toEqual([200, true])
    expect(await ask(`${url}?`, header)).toEqual(bought)
    const kept = { 'if-none-match': bought.headers['etag'] ?? '' }
    const unchanged = await ask(url, header, kept)
    expect([unchanged.status, unchanged.body]).toEqual([304, ''])
    expect(await ask(`${url}?`, header, kept)).toEqual(unchanged)
    for (const accept of ['application/json', 'text/html']) {
      const { body, ...refused } = await ask(url, 'rubbish', { accept })
      const { body: other, ...passedOn } = await ask(`${url}?`, 'rubbish', { accept })
      expect([refused.status, refused.hasTerms]).toEqual([402, true])
      expect([passedOn, other.length]).toEqual([refused, body.length])
    }
  })

  it('buys with curl, too', async (test) => {
    const path = '/skills/feed-doctor/raw'
    const { header } = await sign(testBaseUrl + path, undefined, { privateKey: buyer, fetch: site.fetch })
    const { stdout, error } = await new Promise<{ stdout: string; error: Error | null }>((resolve) => {
      const args = [
        '-sS',
        '-w',
        '%{http_code}',
        '-H',
        `PAYMENT-SIGNATURE: ${header}`,
        `http://127.0.0.1:${site.port}${path}`,
      ]
      execFile('curl', args, (error, stdout) => resolve({ stdout, error }))
    })
    if (error && 'code' in error && error.code === 'ENOENT') test.skip('curl is not installed on this machine')
    expect(stdout).toMatch(/^---\nname: feed-doctor[\s\S]+200$/)
  })

  it('of a wallet without money is refused with the reason, and nothing is stored as sold', async () => {
    const url = `${testBaseUrl}/skills/x402-buyer/raw`
    const { header } = await sign(url, undefined, { privateKey: sandboxAccounts.pauper.privateKey, fetch: site.fetch })
    const before = await (await site.fetch('/api/stats.json')).json()
    const refused = await site.fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
    expect(refused.status).toBe(402)
    expect(await refused.json()).toMatchObject({ error: 'invalid_exact_evm_insufficient_balance', charged: false })
    expect((await (await site.fetch('/api/stats.json')).json()).totalTransactions).toBe(before.totalTransactions)
  })
})

describe('the program', () => {
  it('says that it lives and that it can sell', async () => {
    expect((await site.fetch('/healthz')).status).toBe(200)
    const ready = await site.fetch('/readyz')
    expect([ready.status, await ready.json()]).toEqual([
      200,
      {
        ...{ ready: true, ledger: true, facilitator: true, settling: true, findings: expect.any(Array) },
        gas: { settlementsLeft: expect.any(Number), isLow: false },
      },
    ])
  })

  it('answers unknown skills and receipts with 404, before any price', async () => {
    for (const path of [
      '/skills/no-such-skill/raw',
      '/api/receipts/r_00000000000000000000000000000000.json',
      '/receipts/x',
    ])
      expect((await site.fetch(path)).status).toBe(404)
  })
})
