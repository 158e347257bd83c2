import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor, openPage } from '../support/site-browser.ts'

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

const open = (path: string, options: Parameters<Browser['newPage']>[0] = {}) => openPage(browser, path, options)
const results = (page: Page) => page.locator('[data-search-results] a')
const status = (page: Page) => page.getByRole('status')

/** Busy machines are slow. */
const eventually = <Value>(read: () => Value) => expect.poll(read)

it('finds a post while one types, and opens it with the keyboard alone, under the rules of every page', async () => {
  const { page, complaints } = await open('/search')
  await page.keyboard.type('charge tw')
  await results(page).first().waitFor()
  // Letters come one by one, and so do results.
  await eventually(() => status(page).textContent()).toMatch(/^\d+ results? for “charge tw”\.$/)
  expect(await page.locator('[data-search-results] mark').count()).toBeGreaterThan(0)
  expect(page.workers().map((worker) => worker.url())).toEqual([`${testBaseUrl}/pagefind/pagefind-worker.js`])
  // What is being composed, as Japanese is, has arrows and signs of its own.
  const isLeft = await page.locator('input[name="q"]').evaluate((input) => {
    const keys = ['ArrowDown', 'Escape'].map((key) => ({ key, isComposing: true, bubbles: true, cancelable: true }))
    return keys.every((about) => input.dispatchEvent(new KeyboardEvent('keydown', about)))
  })
  expect([isLeft, await page.locator(':focus').getAttribute('name')]).toEqual([true, 'q'])
  await page.keyboard.press('ArrowDown')
  const first = await results(page).first().getAttribute('href')
  expect(await page.locator(':focus').getAttribute('href')).toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await page.locator(':focus').getAttribute('name')).toBe('q')
  await page.keyboard.press('Enter')
  await eventually(() => page.locator(':focus').getAttribute('href')).toBe(first)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/posts\/[\w-]+$/)
  expect(await page.locator('h1').count()).toBe(1)
  expect(complaints).toEqual([])
  await page.close()
})

it('searches what the address asks for, keeps the address in step, and narrows by collection and tag', async () => {
  const { page, complaints } = await open('/search?q=payment&collection=Skills')
  await results(page).first().waitFor()
  expect(
    await results(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/')[1])),
  ).not.toContain('posts')
  await page.getByLabel('Where').selectOption('')
  await page.getByLabel('Tag').selectOption('x402')
  await eventually(() => new URL(page.url()).search).toBe('?q=payment&tag=x402')
  await eventually(() =>
    results(page).evaluateAll((links) => links.every((link) => link.getAttribute('href')?.startsWith('/posts/'))),
  ).toBe(true)
  expect(complaints).toEqual([])
  await page.close()
})

// Pagefind takes the beginning of a word for the word: no text here begins like this one.
it('says when there is nothing, and is quiet when nothing is asked', async () => {
  const { page, complaints } = await open('/search?q=ჯჯჯჯ')
  await eventually(() => status(page).textContent()).toBe('Nothing found for “ჯჯჯჯ”.')
  await page.getByRole('searchbox').fill('')
  await eventually(() => status(page).textContent()).toBe('')
  expect(await results(page).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})

it('says that it searches when the index is slow, and what to do when it does not come', async () => {
  const page = await browser.newPage()
  const shown = Promise.withResolvers<void>()
  await page.route('**/pagefind/pagefind.js', async (route) => {
    await shown.promise
    await route.abort()
  })
  await page.goto(`${testBaseUrl}/search?q=retry`)
  await eventually(() => status(page).textContent()).toBe('Searching…')
  shown.resolve()
  await eventually(() => status(page).textContent()).toMatch(/could not be loaded/)
  await page.close()
})

it('without JavaScript says where the writing is', async () => {
  const { page } = await open('/search?q=retry', { javaScriptEnabled: false })
  expect(await page.locator('main').textContent()).toMatch(/JavaScript/)
  expect(await page.locator('main a[href="/posts"]').count()).toBe(1)
  await page.close()
})

it('is one key away from every page and in the page of what is not there, without a script there', async () => {
  const { page } = await open('/about')
  expect(await page.locator('a[accesskey="/"]').getAttribute('href')).toBe('/search')
  await page.goto(`${testBaseUrl}/no-such-page`)
  expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0)
  await page.getByRole('searchbox').fill('retry')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?q=retry$/)
  await results(page).first().waitFor()
  await page.close()
})
