import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'

let site: RunningSite
let browser: Browser
beforeAll(async () => {
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

const open = async (path: string, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> => {
  const page = await browser.newPage(options)
  await page.goto(testBaseUrl + path)
  return page
}
const factsOf = (page: Page) =>
  page.locator('.try-it dl').evaluate((list) => [...list.children].map((child) => child.textContent ?? ''))

it.each([
  ['anatomy-of-a-402', '$0.07 in USDC'],
  ['the-smallest-honest-shop', '$0.10 in USDC'],
])('the post %s has a live request with its price and its full response', async (slug, price) => {
  const page = await open(`/posts/${slug}`)
  const exchange = page.getByRole('region', { name: 'Live request' })
  await exchange.getByRole('button', { name: 'Get the price' }).press('Enter')
  await expect.poll(() => exchange.getByRole('status').textContent()).toMatch(/^402 Payment Required in \d+ ms\./)
  expect((await factsOf(page)).slice(0, 2)).toEqual(['Price', price])
  await exchange.getByText('Full response').click()
  expect(JSON.parse((await exchange.locator('pre').textContent()) ?? '')).toMatchObject({ x402Version: 2 })
  await page.close()
})

it('each of several live requests in one post shows its own response', async () => {
  const page = await browser.newPage()
  // A second live request is added to the page before its scripts run.
  await page.addInitScript(() =>
    document.addEventListener('readystatechange', () => {
      const exchange = document.readyState === 'interactive' ? document.querySelector('.live-exchange') : null
      exchange?.after(exchange.cloneNode(true))
    }),
  )
  await page.goto(`${testBaseUrl}/posts/anatomy-of-a-402`)
  for (const place of [1, 0]) {
    const exchange = page.getByRole('region', { name: 'Live request' }).nth(place)
    await exchange.getByLabel('JSON body').focus()
    await exchange.getByRole('button', { name: 'Get the price' }).click()
    await expect.poll(() => exchange.getByRole('status').textContent()).toMatch(/^402 Payment Required/)
  }
  expect(new URL(page.url()).pathname).toBe('/posts/anatomy-of-a-402')
  await page.close()
})

describe('trying a product on its page', () => {
  it.each(['image-generate', 'narrate', 'bot-catalog', 'llms-pack', 'session-status'])(
    '%s shows the price of the live 402, by keyboard alone',
    async (slug) => {
      const page = await open(`/apis/${slug}`)
      await page.getByRole('button', { name: 'Get the price' }).press('Enter')
      await expect
        .poll(() => page.locator('.try-it [role=status]').textContent())
        .toMatch(/^402 Payment Required in \d+ ms\./)
      const facts = await factsOf(page)
      expect(facts.slice(0, 2)).toEqual(['Price', slug === 'llms-pack' ? '$0.07 in USDC' : '$0.05 in USDC'])
      expect(facts).toContain('eip155:8453')
      expect(facts).not.toContain('Would be refused')
      await page.getByText('Full response').click()
      expect(JSON.parse((await page.locator('.try-it pre').textContent()) ?? '')).toMatchObject({ x402Version: 2 })
      await page.close()
    },
  )

  it('quotes the price of the typed input, and says what would be refused', async () => {
    const page = await open('/apis/llms-pack')
    const body = page.getByLabel('JSON body')
    const ask = () => page.getByRole('button', { name: 'Get the price' }).click()
    await body.fill(
      JSON.stringify({ urls: Array.from({ length: 20 }, (_, number) => `https://example.com/${number}`) }),
    )
    await ask()
    await expect.poll(() => factsOf(page)).toContain('$0.25 in USDC')
    await body.fill('{"urls": ["http://example.com/<b>"], "maxCharsPerPage": 1}')
    await ask()
    await expect.poll(() => factsOf(page)).toContain('/urls/0 must start with https://')
    expect(await factsOf(page)).toContain('$0.06 in USDC')
    await body.fill('{"urls": ')
    await ask()
    await expect.poll(async () => (await factsOf(page)).join(' ')).toMatch(/Would be refused the body/)
    await page.close()
  })

  it('names the status of a failure in words, even over HTTP/2, which has no reason phrases', async () => {
    const page = await open('/apis/narrate')
    // This proxy drops the reason phrase.
    await page.route('**/api/x402/**', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        json: { title: 'Too many requests', detail: 'Your address asks too often; come again in 5 seconds' },
      }),
    )
    await page.getByRole('button', { name: 'Get the price' }).click()
    await expect
      .poll(() => page.locator('.try-it [role=status]').textContent())
      .toMatch(
        /^429 Too many requests in \d+ ms\. Nothing was charged\. Your address asks too often; come again in 5 seconds\.$/,
      )
    await page.close()
  })

  it('says so when the shop cannot be reached', async () => {
    const page = await open('/apis/narrate')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Get the price' }).click()
    await expect.poll(() => page.locator('.try-it [role=status]').textContent()).toMatch(/could not be reached/)
    expect(await page.locator('.try-it dl').isHidden()).toBe(true)
    await page.close()
  })

  it('links to the same terms without JavaScript', async () => {
    for (const slug of ['bot-catalog', 'narrate']) {
      const page = await open(`/apis/${slug}`, { javaScriptEnabled: false })
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('/api/x402/')),
        page.getByRole('button', { name: 'Get the price' }).click(),
      ])
      expect([answer.status(), typeof answer.headers()['payment-required']]).toEqual([402, 'string'])
      await page.getByText('$0.05').first().waitFor()
      await page.close()
    }
  })
})
