import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveGamePages } from '../support/game-pages.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'

let site: RunningSite
let browser: Browser
let pages: Awaited<ReturnType<typeof serveGamePages>>
let gameHost: Browser
beforeAll(async () => {
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
  browser = await launchFor(site)
  pages = await serveGamePages()
  gameHost = await pages.launch()
})
afterAll(async () => {
  await browser?.close()
  await gameHost?.close()
  await pages?.close()
  await site?.kill('SIGTERM')
})

/** Opens a page whose scripts have not arrived yet, as on a slow connection; `load` lets them arrive. */
async function open(within: Browser, url: string): Promise<{ page: Page; load: () => void }> {
  const page = await within.newPage()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\.js$/, async (route) => {
    if (!/every-page/.test(route.request().url())) await promise
    await route.continue()
  })
  await page.goto(url, { waitUntil: 'commit' })
  return { page, load: resolve }
}

it.each([
  ['the checkout of an API', () => [browser, `${testBaseUrl}/apis/narrate`] as const, '[data-checkout] input'],
  ['the door of the dungeon', () => [gameHost, `${pages.url}/play.html`] as const, '#door-name'],
  ['the credits in the store', () => [gameHost, `${pages.url}/store.html`] as const, '#redeem-token'],
  ['whom to watch', () => [gameHost, `${pages.url}/watch`] as const, '#live-name'],
])('%s keeps what is typed before its script has loaded, even after Enter', async (_, place, field) => {
  const [within, url] = place()
  const { page, load } = await open(within, url)
  const loads: string[] = []
  page.on('framenavigated', (frame) => loads.push(frame.url()))
  const input = page.locator(`${field}:not([type=checkbox], [type=hidden])`).first()
  await input.fill('Ada')
  await input.press('Enter')
  await page.waitForTimeout(300)
  expect([loads, await input.inputValue()]).toEqual([[], 'Ada'])
  load()
  await page.close()
})
