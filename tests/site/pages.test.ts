import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor, toTrusted } from '../support/site-browser.ts'

let site: RunningSite
let browser: Browser
const problems = new Set<string>()

beforeAll(async () => {
  // Pages need no money: nothing answers at these addresses.
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

const kinds = [
  '/',
  '/posts',
  '/posts/never-charge-twice',
  '/tags',
  '/tags/x402',
  '/stats',
  '/status',
  '/follow',
  '/skills',
  '/skills/x402-seller',
  '/apis',
  '/apis/llms-pack',
  '/agents',
  '/agents/mcp',
  '/about',
  '/problems',
  '/no-such-page',
]

async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options)
  page.on('console', (message) => {
    // The one error that is right: the browser says that a page which is not there is not there.
    if (message.type() === 'error' && !/404 \(Not Found\)/.test(message.text()))
      problems.add(`${path}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.add(`${path}: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(testBaseUrl)) problems.add(`${path}: asks ${request.url()}`)
  })
  await page.goto(testBaseUrl + path)
  return page
}

describe.each([
  { width: 390, colorScheme: 'light' as const },
  { width: 1280, colorScheme: 'dark' as const },
])('at $width px, $colorScheme', ({ width, colorScheme }) => {
  it('no page scrolls sideways, breaks its own rules, or asks another host', async () => {
    for (const path of kinds) {
      const page = await open(path, { viewport: { width, height: 800 }, colorScheme })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect([path, overflow]).toEqual([path, 0])
      expect(await page.locator('h1').count()).toBe(1)
      await page.close()
    }
    expect([...problems]).toEqual([])
  })
})

it('every pointer of the catalog resolves', async () => {
  const catalog = await (await site.fetch('/api/catalog.json')).json()
  const pointers = z.record(z.string(), z.string()).parse(catalog.pointers)
  // A search asks for something, and a template is filled in first; every other target answers by itself.
  for (const [name, url] of Object.entries(pointers).filter(([name]) => name !== 'audio_template')) {
    const { status } = await site.fetch(/search$/.test(name) ? `${url}?q=payment` : url)
    expect([name, status]).toEqual([name, 200])
  }
})

it('says on every page that the money is simulated', async () => {
  for (const path of kinds)
    expect(await (await site.fetch(path, { headers: { accept: 'text/html' } })).text()).toMatch(/simulated money/i)
})

it('can be read without a pointer: the first Tab leads to the content, and focus is visible', async () => {
  const page = await open('/')
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  expect(await focused.getAttribute('href')).toMatch(/^#/)
  expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
  await page.close()
})

it('sends no script but the key of the search with a page that does not need one', async () => {
  for (const path of ['/about', '/posts', '/skills', '/problems'])
    expect([
      path,
      (await (await site.fetch(path)).text()).match(/<script(?! type="application\/ld\+json")[^>]*/g),
    ]).toEqual([path, [expect.stringMatching(/^<script type="module" src="\/_astro\/search-key\.[^"]+"$/)]])
})

it('copies a command with one press', async () => {
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(toTrusted(site, '/skills/x402-seller'))
  const button = page.locator('button.copy').first()
  await button.waitFor()
  await button.click()
  await expect.poll(() => button.textContent()).toMatch(/copied/i)
  await page.close()
})
