import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readMetrics } from '../support/read-metrics.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { openSocket } from '../support/socket-client.ts'
import { decodeHeader, payingFetch, sign } from '../support/stock-client.ts'
import { signForTip } from '../support/tip-purchase.ts'

const METRICS_TOKEN = 'token-of-the-scraper-0123456789'
const catalog = '/api/x402/agent-seo/bot-catalog'
const offerId = 'bot-catalog'

const dataDir = mkdtempSync(join(tmpdir(), 'farthing-signals-'))
let money: RunningMoney
let site: RunningSite
let game: RunningSite
beforeAll(async () => {
  money = await startMoney()
  const common = { ...money, dataDir, env: { METRICS_TOKEN } }
  site = await startSite(common)
  game = await startSite({ ...common, program: 'game-server/host/main.ts' })
})
afterAll(async () => {
  await Promise.all([site?.kill('SIGTERM'), game?.kill('SIGTERM')])
  await money?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  event: z.string(),
})
const linesOf = (program: RunningSite) =>
  program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => lineSchema.parse(JSON.parse(line)))

describe('the log', () => {
  it('names everything by which a buyer may refer to a sale, on a line that begins with time, level and event', async () => {
    const answer = await payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)(testBaseUrl + catalog)
    expect(answer.status).toBe(200)
    const sold = linesOf(site).filter(({ event }) => event === 'sale.settled')
    expect(sold).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        event: 'sale.settled',
        path: catalog,
        offerId,
        amountMicroUsd: '50000',
        requestId: answer.headers.get('x-request-id'),
        receiptId: answer.headers.get('x-receipt-id'),
        transaction: z.object({ transaction: z.string() }).parse(decodeHeader(answer.headers.get('payment-response')))
          .transaction,
        tookMs: expect.any(Number),
      },
    ])
    expect(Object.keys(sold[0] ?? {}).slice(0, 3)).toEqual(['time', 'level', 'event'])
  })

  it('does so at the game host, and ignores the request id that the buyer sends', async () => {
    const { header } = await signForTip()
    const answer = await fetch(`http://127.0.0.1:${game.port}/api/store/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': header, 'x-request-id': 'of-the-buyer' },
      body: JSON.stringify({ sku: 'tip_3', playerName: 'Donor' }),
    })
    expect(answer.status).toBe(200)
    expect(linesOf(game).filter(({ event }) => event === 'sale.settled')).toMatchObject([
      {
        path: '/api/store/unlock',
        amountMicroUsd: '3000000',
        requestId: answer.headers.get('x-request-id'),
        receiptId: answer.headers.get('x-receipt-id'),
        transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ])
    expect(game.output()).not.toContain('of-the-buyer')
  })

  it('has no line for a payment that was turned away before any money was asked for', async () => {
    const { header } = await sign(testBaseUrl + catalog, undefined, { ...sandboxAccounts.pauper, fetch: site.fetch })
    const answer = await site.fetch(catalog, { headers: { 'payment-signature': header } })
    expect(answer.status).toBe(402)
    expect(linesOf(site).filter(({ event }) => event === 'sale.failed')).toEqual([])
  })
})

const scrape = async (program: RunningSite, headers: Record<string, string> = {}) => {
  const answer = await fetch(`http://127.0.0.1:${program.port}/metrics`, { headers })
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  return readMetrics(await answer.text())
}

describe('the metrics', () => {
  it('of the site count sales and prices that were asked, by product, and time the facilitator', async () => {
    const before = await scrape(site)
    for (const method of ['GET', 'HEAD'] as const) await site.fetch(catalog, { method })
    await payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)(testBaseUrl + catalog)
    const after = await scrape(site)
    const grown = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)
    const product = { product: offerId }
    expect(grown('farthing_sales_total', product)).toBe(1)
    expect(grown('farthing_sales_micro_usd_total', product)).toBe(50_000)
    expect(grown('farthing_payment_events_total', { event: 'sale.settled' })).toBe(1)
    // One with GET, one with HEAD, and one by the client that paid.
    expect(grown('farthing_quotes_total', product)).toBe(3)
    const facilitator = new URL(money.facilitatorUrl).host
    for (const [operation, answer] of [
      ['verify', 'valid'],
      ['settle', 'claimed'],
    ] as const) {
      const labels = { facilitator, operation, answer }
      expect(after.value('farthing_facilitator_seconds_count', labels)).toBeGreaterThanOrEqual(2)
      expect(after.value('farthing_facilitator_seconds_sum', labels)).toBeGreaterThan(0)
    }
    expect(after.value('farthing_settlement_seconds_count', { event: 'sale.settled' })).toBeGreaterThanOrEqual(2)
  })

  /** Each look begins anew, so that soon after one nothing is known yet. */
  const expectDelay = (program: RunningSite) =>
    expect
      .poll(async () => (await scrape(program)).value('farthing_event_loop_delay_seconds', { quantile: '1' }), {
        interval: 200,
      })
      .toBeGreaterThan(0)

  it('of the site show its state', async () => {
    const read = await scrape(site)
    for (const state of ['working', 'ready', 'settling']) expect(read.value('farthing_payments', { state })).toBe(0)
    expect(read.value('farthing_open_sales', { finality: 'mined' })).toBeGreaterThan(0)
    expect(read.value('farthing_work_slots_in_use', { product: offerId })).toBe(0)
    expect(read.value('farthing_work_slots', { product: offerId })).toBeGreaterThan(0)
    expect(read.value('farthing_is_settling')).toBe(1)
    expect(read.value('farthing_webhooks_waiting')).toBe(0)
    expect(read.value('farthing_purchases_under_way')).toBe(0)
    expect(read.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    await expectDelay(site)
    expect(read.value('farthing_disk_size_bytes')).toBeGreaterThan(read.value('farthing_disk_free_bytes') ?? Infinity)
  })

  it('of the game host count its sales, its players and their sockets', async () => {
    const watching = await openSocket(`ws://127.0.0.1:${game.port}/ws`)
    const playing = await openSocket(`ws://127.0.0.1:${game.port}/ws`)
    playing.send({ type: 'join', name: 'Counted' })
    await playing.next('welcome')
    const read = await scrape(game)
    expect([read.value('farthing_game_players'), read.value('farthing_game_sockets')]).toEqual([1, 2])
    expect(read.value('farthing_sales_micro_usd_total')).toBe(3_000_000)
    expect(read.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    await expectDelay(game)
    await Promise.all([watching.close(), playing.close()])
  })

  it('are served to clients with the token, also through a proxy, and otherwise only to this machine', async () => {
    for (const program of [site, game]) {
      const through = { 'x-forwarded-for': '203.0.113.7' }
      await scrape(program, { ...through, authorization: `Bearer ${METRICS_TOKEN}` })
      const nobodys = await fetch(`http://127.0.0.1:${program.port}/api/not-there`)
      for (const headers of [
        through,
        { forwarded: 'for=127.0.0.1' },
        { 'x-forwarded-for': '127.0.0.1' },
        { ...through, authorization: `Bearer ${METRICS_TOKEN}x` },
        { ...through, authorization: METRICS_TOKEN },
        { origin: 'https://evil.test' },
      ]) {
        const answer = await fetch(`http://127.0.0.1:${program.port}/metrics`, { headers })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, nobodys.headers.get('content-type')])
        expect(await answer.text()).not.toContain('farthing_')
      }
      // A name that points here, as the page of an attacker in a browser could use it (DNS rebinding).
      expect(await statusFor(program.port, 'evil.test')).toBe(404)
      expect(await statusFor(program.port, 'localhost')).toBe(200)
    }
  })

  it('are no part of the machine description', async () => {
    expect(await (await site.fetch('/openapi.json')).text()).not.toContain('/metrics')
  })
})

const statusFor = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
