import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { seedSales } from '../support/seed-sales.ts'
import { launchFor } from '../support/site-browser.ts'

const dayMs = 24 * 60 * 60 * 1000
const nowhere = { facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' }
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-stats-'))

let busy: RunningSite
let idle: RunningSite
let browser: Browser
beforeAll(async () => {
  const sale = (path: string, amount: string, daysAgo: number) => ({
    path,
    amount,
    settledAt: Date.now() - daysAgo * dayMs,
  })
  await seedSales(dataDir, [
    ...Array.from({ length: 12 }, () => sale('/api/x402/llms/pack', '70000', 3)),
    sale('/skills/feed-doctor/raw', '100000', 3),
    sale('/skills/feed-doctor/raw', '100000', 0),
    sale('/skills/feed-doctor/raw', '100000', 200),
  ])
  busy = await startSite({ ...nowhere, dataDir })
  idle = await startSite(nowhere)
  browser = await launchFor(busy)
})
afterAll(async () => {
  await browser?.close()
  await busy?.kill('SIGTERM')
  await idle?.kill('SIGTERM')
})

it('draws a bar for every day with a sale, and shows the figures of the ledger behind them', async () => {
  const page = await browser.newPage()
  await page.goto(`${testBaseUrl}/stats`)
  const heights = await page
    .locator('.chart .chart-bar')
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('height')))
  expect(heights).toHaveLength(30)
  expect(heights.filter((height) => height !== '0')).toEqual(['100', expect.stringMatching(/^1\d/)])
  expect(await page.getByRole('img').getAttribute('aria-label')).toMatch(/30 days\. 14 sales; most on .+, with 13\./)
  await page.getByText('All figures').click()
  const days = await page.locator('.chart tbody tr').allTextContents()
  expect([days.length, days[0], days[3]]).toEqual([30, expect.stringMatching(/ 1 *$/), expect.stringMatching(/ 13 *$/)])
  const products = await page.locator('section[aria-labelledby="products"] tbody tr').allTextContents()
  expect(products.map((row) => row.trim().split(/\s+/))).toEqual([
    ['/api/x402/llms/pack', '12', '$0.84'],
    ['/skills/feed-doctor/raw', '3', '$0.30'],
  ])
  expect(await page.locator('.totals').textContent()).toMatch(/Total\s+15[\s\S]*30 days\s+14/)
  await page.close()
})

it('uses the singular for one sale', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-one-sale-'))
  await seedSales(folder, [{ path: '/api/x402/llms/pack', amount: '70000', settledAt: Date.now() - dayMs }])
  const site = await startSite({ ...nowhere, dataDir: folder })
  const page = await (await site.fetch('/stats')).text()
  expect(/<figcaption[^>]*>([^<]*)</.exec(page)?.[1]).toMatch(/^1 sale, on .+\.$/)
  await site.kill('SIGTERM')
})

it('says so when nothing has been sold yet', async () => {
  const text = await (await idle.fetch('/stats')).text()
  expect(text).toContain('Nothing has been sold yet')
  expect(text).toContain('No sales in this period')
})

it('answers other methods with a problem document', async () => {
  const answer = await idle.fetch('/stats', { method: 'POST' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

it('is markdown for clients that accept it, with the same figures, and says so', async () => {
  const page = await busy.fetch('/stats')
  expect([page.headers.get('vary'), page.headers.get('link'), page.headers.get('cache-control')]).toEqual([
    'Accept',
    '</stats.md>; rel="alternate"; type="text/markdown"',
    'public, max-age=300',
  ])
  expect(await page.text()).toContain('<link rel="alternate" type="text/markdown" href="/stats.md"')
  const [named, asked] = await Promise.all([
    busy.fetch('/stats.md'),
    busy.fetch('/stats', { headers: { accept: 'text/markdown' } }),
  ])
  const types = [named, asked].map(({ headers }) => [headers.get('content-type'), headers.get('content-location')])
  expect(types).toEqual([
    ['text/markdown; charset=utf-8', null],
    ['text/markdown; charset=utf-8', '/stats.md'],
  ])
  const text = await named.text()
  expect(await asked.text()).toBe(text)
  for (const part of ['# Sales\n', 'Total: 15. ', '| /api/x402/llms/pack | 12 | $0.84 |', ` | 13 |\n`])
    expect(text).toContain(part)
  expect(await (await idle.fetch('/stats.md')).text()).toContain('Nothing has been sold yet.')
})
