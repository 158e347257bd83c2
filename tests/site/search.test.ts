import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { layoutShift } from '../support/layout-shift.ts'
import { makeEpisode } from '../support/make-episode.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { launchFor, openPage } from '../support/site-browser.ts'

let site: RunningSite
let browser: Browser
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-search-page-'))
  await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: 'fair-play', units: 2 })
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9', dataDir })
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

const open = (path: string, options: Parameters<Browser['newPage']>[0] = {}) => openPage(browser, path, options)
const results = (page: Page) => page.locator('[data-search-results] a')
const status = (page: Page) => page.getByRole('status')

/** Polls, because busy machines are slow. */
const eventually = <Value>(read: () => Value) => expect.poll(read)

it('finds a post while the reader types, and opens it by keyboard alone, without violating the policy of pages', async () => {
  const { page, complaints } = await open('/search')
  await page.keyboard.type('charge tw')
  await results(page).first().waitFor()
  // Letters arrive one by one, and so do results.
  await eventually(() => status(page).textContent()).toMatch(/^\d+ results? for “charge tw”\.$/)
  expect(await page.locator('[data-search-results] mark').count()).toBeGreaterThan(0)
  // During composition, as in Japanese, arrow keys belong to the input method.
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

const addresses = (page: Page) =>
  results(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/')[1]))

it('searches for the query in the address, with kind and price, and keeps the address up to date', async () => {
  const { page, complaints } = await open('/search?q=payment&collection=Skills')
  await results(page).first().waitFor()
  expect(new Set(await addresses(page))).toEqual(new Set(['skills']))
  expect(await page.locator('[data-search-results] li .fine').first().textContent()).toBe('Skill, $0.10')
  await page.getByLabel('Where').selectOption('Posts')
  await eventually(() => new URL(page.url()).search).toBe('?q=payment&collection=Posts')
  await eventually(async () => new Set(await addresses(page))).toEqual(new Set(['posts']))
  expect(complaints).toEqual([])
  await page.close()
})

it('links to the spoken sentence in a narration', async () => {
  const { page } = await open('/search?q=fair+play')
  const listen = page.getByRole('link', { name: 'Listen from here' })
  expect(await listen.first().getAttribute('href')).toMatch(/^\/posts\/fair-play\?t=\d+$/)
  await page.close()
})

it('shows results without shifting the layout', async () => {
  const page = await browser.newPage()
  await page.goto(`${testBaseUrl}/search?q=payment`)
  await results(page).first().waitFor()
  expect(await layoutShift(page)).toBe(0)
  await page.close()
})

it('says when nothing is found, and shows nothing without a query', async () => {
  const { page, complaints } = await open('/search?q=seascape')
  await eventually(() => status(page).textContent()).toBe('Nothing found for “seascape”.')
  await page.getByRole('searchbox').fill('')
  await eventually(() => status(page).textContent()).toBe('')
  expect(await results(page).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})

it('says that one letter is too short', async () => {
  const { page } = await open('/search')
  await page.getByRole('searchbox').fill('C')
  await page.keyboard.press('Enter')
  await eventually(() => status(page).textContent()).toBe('Write at least two letters.')
  await page.keyboard.type('harge')
  await results(page).first().waitFor()
  await page.close()
})

it('shows no outdated results when the reader types on during a search', async () => {
  const { page } = await open('/search?q=payment')
  await results(page).first().waitFor()
  const slow = Promise.withResolvers<void>()
  await page.route('**/api/search.json?q=wallet*', async (route) => {
    const word = new URL(route.request().url()).searchParams.get('q')
    if (word === 'wallet') {
      await slow.promise
      return route.continue()
    }
    return route.abort()
  })
  const answered = page.waitForResponse(/q=wallet&/)
  await page.getByRole('searchbox').fill('wallet')
  await page.keyboard.press('Enter')
  await page.keyboard.type('x')
  await eventually(() => status(page).textContent()).toMatch(/did not answer/)
  slow.resolve()
  await answered
  await page.keyboard.type('y')
  expect(await page.getByRole('searchbox').inputValue()).toBe('walletxy')
  expect(await results(page).count()).toBe(0)
  await page.close()
})

it('moves focus to the first additional result when the button for more disappears', async () => {
  const page = await browser.newPage()
  const found = Array.from({ length: 14 }, (_, place) => ({
    title: `Post ${place}`,
    url: `/posts/${place}`,
    kind: 'post',
  }))
  await page.route('**/api/search.json*', (route) =>
    route.fulfill({ json: { query: 'post', total: found.length, results: found } }),
  )
  await page.goto(`${testBaseUrl}/search?q=post`)
  await page.getByRole('button', { name: 'More results' }).press('Enter')
  await eventually(() => page.locator(':focus').textContent()).toBe('Post 10')
  expect(await results(page).count()).toBe(14)
  await page.close()
})

it('searches the static index of the site when no server answers, without violating the policy of pages', async () => {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.route('**/api/search.json*', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${testBaseUrl}/search?q=charge+twice&collection=Posts`)
  await results(page).first().waitFor()
  expect(new Set(await addresses(page))).toEqual(new Set(['posts']))
  expect(await page.locator('[data-search-results] li .fine').first().textContent()).toBe('Post')
  expect(page.workers().map((worker) => worker.url())).toEqual([`${testBaseUrl}/pagefind/pagefind-worker.js`])
  expect(complaints).toEqual([])
  await page.close()
})

it('says that it is searching when the server is slow, and what to do when it does not answer', async () => {
  const page = await browser.newPage()
  const shown = Promise.withResolvers<void>()
  await page.route('**/api/search.json*', async (route) => {
    await shown.promise
    await route.abort()
  })
  await page.goto(`${testBaseUrl}/search?q=retry`)
  await eventually(() => status(page).textContent()).toBe('Searching…')
  shown.resolve()
  await eventually(() => status(page).textContent()).toMatch(/did not answer/)
  await page.close()
})

it('links to the posts without JavaScript', async () => {
  const { page } = await open('/search?q=retry', { javaScriptEnabled: false })
  expect(await page.locator('main').textContent()).toMatch(/JavaScript/)
  expect(await page.locator('main a[href="/posts"]').count()).toBe(1)
  await page.close()
})

it('opens with one key from every page, and is on the page for unknown addresses', async () => {
  const { page } = await open('/about')
  await page.keyboard.press('Control+/')
  await page.keyboard.press('/')
  await page.waitForURL(/\/search$/)
  // In a text field the key is an ordinary letter.
  await page.keyboard.type('a/b')
  expect(await page.getByRole('searchbox').inputValue()).toBe('a/b')
  await page.goto(`${testBaseUrl}/no-such-page`)
  await page.keyboard.press('/')
  await page.keyboard.type('retry')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?q=retry$/)
  await results(page).first().waitFor()
  await page.close()
})
