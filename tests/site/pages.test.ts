import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor, toTrusted } from '../support/site-browser.ts'

let site: RunningSite
let browser: Browser
const problems = new Set<string>()

beforeAll(async () => {
  // Pages need no payment services, so nothing listens at these addresses.
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
  '/posts/durable-before-paid',
  '/tags',
  '/tags/x402',
  '/series/selling-over-http',
  '/authors/the-farthing-press',
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
    // The only expected error: the browser logs the 404 of an unknown page.
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
  it('no page scrolls sideways, violates its policy, or requests another host', async () => {
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

describe('the end of a post', () => {
  const linksIn = (page: Page, part: string) =>
    page.locator(`${part} a[href^="/posts/"]`).evaluateAll((links) => links.map((link) => link.getAttribute('href')))

  it('links to the next part of its series, related posts and a product, each post only once', async () => {
    const page = await open('/posts/never-charge-twice')
    const next = page.getByRole('region', { name: 'What next' })
    await next.getByText('Part 2 of 4 of Selling over HTTP').waitFor()
    expect(await next.locator('.onward').getAttribute('href')).toBe('/posts/a-price-is-an-integer')
    expect(await next.locator('.product-card a').getAttribute('href')).toBe('/skills/x402-seller')
    const [onward, neighbours] = [await linksIn(page, '.what-next'), await linksIn(page, '.neighbours')]
    expect([onward.length, neighbours.length]).toEqual([4, 2])
    expect(new Set([...onward, ...neighbours, '/posts/never-charge-twice']).size).toBe(7)
    await page.close()
  })

  it('links to its series, which lists its parts in order', async () => {
    const page = await open('/posts/never-charge-twice')
    await page.getByRole('link', { name: 'Part 2 of 4 of Selling over HTTP', exact: true }).click()
    await page.waitForURL('**/series/selling-over-http')
    expect(await linksIn(page, '.parts')).toEqual(
      ['anatomy-of-a-402', 'never-charge-twice', 'a-price-is-an-integer', 'durable-before-paid'].map(
        (slug) => `/posts/${slug}`,
      ),
    )
    await page.close()
  })
})

it('every URL in the catalog can be requested', async () => {
  const catalog = await (await site.fetch('/api/catalog.json')).json()
  const pointers = z.record(z.string(), z.string()).parse(catalog.pointers)
  // A search gets a query, and a template is filled in elsewhere; every other URL works as it is.
  for (const [name, url] of Object.entries(pointers).filter(([name]) => name !== 'audio_template')) {
    const { status } = await site.fetch(/search$/.test(name) ? `${url}?q=payment` : url)
    expect([name, status]).toEqual([name, 200])
  }
})

it('says on every page that payments are simulated', async () => {
  for (const path of kinds)
    expect(await (await site.fetch(path, { headers: { accept: 'text/html' } })).text()).toMatch(/simulated money/i)
})

it('can be used by keyboard: the first Tab leads to the content, and focus is visible', async () => {
  const page = await open('/')
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  expect(await focused.getAttribute('href')).toMatch(/^#/)
  expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
  await page.close()
})

it('shows selected colours, page and code tab in forced colours mode', async () => {
  const page = await open('/posts', { forcedColors: 'active' })
  const lineOf = (of: string, name: string, what: 'borderBottomColor' | 'textDecorationLine') =>
    page
      .locator(of)
      .getByText(name, { exact: true })
      .evaluate((element, read) => getComputedStyle(element)[read], what)
  const colours = (name: string) => lineOf('.choice', name, 'borderBottomColor')
  expect(await colours('System')).not.toBe(await colours('Dark'))
  expect(await colours('Light')).toBe(await colours('Dark'))
  const link = (name: string) => lineOf('.masthead', name, 'textDecorationLine')
  expect([await link('Posts'), await link('Podcast')]).toEqual(['underline', 'none'])
  await page.goto(`${testBaseUrl}/posts/anatomy-of-a-402`)
  const blocks = await page
    .locator('.tabs')
    .first()
    .locator('summary')
    .evaluateAll((all) => all.map((summary) => getComputedStyle(summary).borderBottomColor))
  expect(blocks[0]).not.toBe(blocks[1])
  await page.close()
})

it('loads on a page without other features only the script for reader settings and the search key', async () => {
  for (const path of ['/about', '/posts', '/skills', '/problems'])
    expect([
      path,
      (await (await site.fetch(path)).text()).match(/<script(?! type="application\/ld\+json")[^>]*/g),
    ]).toEqual([
      path,
      [
        // Not a module and not deferred, so that it runs before the first paint.
        expect.stringMatching(/^<script src="\/_astro\/every-page\.[^"]+"$/),
      ],
    ])
})

it('keeps the colour scheme that a reader chose, from before the first paint of every page', async () => {
  const page = await open('/about', { colorScheme: 'light' })
  await page.addInitScript(() =>
    requestAnimationFrame(() =>
      document.documentElement.setAttribute('data-first', document.documentElement.dataset['theme'] ?? ''),
    ),
  )
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const [light, dark] = ['rgb(251, 248, 241)', 'rgb(22, 20, 18)']
  const button = (name: string) => page.getByRole('group', { name: 'Colours' }).getByRole('button', { name })
  expect([await paper(), await button('System').getAttribute('aria-pressed')]).toEqual([light, 'true'])
  await button('Dark').press('Enter')
  expect([await paper(), await button('Dark').getAttribute('aria-pressed')]).toEqual([dark, 'true'])
  await page.goto(`${testBaseUrl}/posts`)
  expect([await paper(), await page.locator('html').getAttribute('data-first')]).toEqual([dark, 'dark'])
  expect(await page.getByRole('button', { pressed: true }).allTextContents()).toEqual([
    expect.stringContaining('Dark'),
    expect.stringContaining('On'),
  ])
  await page.emulateMedia({ media: 'print' })
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await button('Light').press(' ')
  expect(await paper()).toBe(light)
  await button('System').click()
  expect(await paper()).toBe(dark)
  await page.close()
})

it('lets readers turn off single-key shortcuts, in all windows and permanently', async () => {
  const context = await browser.newContext()
  const [page, other] = [await context.newPage(), await context.newPage()]
  await page.goto(`${testBaseUrl}/about`)
  await other.goto(`${testBaseUrl}/search`)
  const search = () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? location.pathname)
  const button = (name: string) => page.getByRole('group', { name: /^Keys/ }).getByRole('button', { name })
  await button('Off').press('Enter')
  await expect.poll(() => other.locator('html').getAttribute('data-keys')).toBe('off')
  await page.keyboard.press('/')
  await page.goto(`${testBaseUrl}/posts`)
  expect(await page.getByRole('button', { pressed: true }).allTextContents()).toEqual([
    expect.stringContaining('System'),
    expect.stringContaining('Off'),
  ])
  await page.keyboard.press('/')
  await page.waitForTimeout(200)
  expect(await search()).toBe('/posts')
  await button('On').press(' ')
  await page.keyboard.press('/')
  await page.waitForURL(/\/search$/)
  await context.close()
})

describe('sharing a post', () => {
  const url = `${testBaseUrl}/posts/never-charge-twice`
  const openPost = async (options: Parameters<Browser['newPage']>[0], script?: string) => {
    const page = await browser.newPage(options)
    if (script !== undefined) await page.addInitScript(script)
    await page.goto(toTrusted(site, '/posts/never-charge-twice'))
    return { page, link: page.getByRole('link', { name: 'Share this post' }) }
  }

  it('opens an e-mail where nothing else is available', async () => {
    const { page, link } = await openPost({ javaScriptEnabled: false })
    const mail = new URL((await link.getAttribute('href')) ?? '')
    expect([mail.protocol, mail.searchParams.get('subject'), mail.searchParams.get('body')]).toEqual([
      'mailto:',
      'A retry must never charge twice',
      url,
    ])
    await page.close()
  })

  it('copies its address, and says so', async () => {
    const { page, link } = await openPost({ permissions: ['clipboard-read', 'clipboard-write'] })
    await link.press('Enter')
    await page.getByText('Address copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url)
    await page.close()
  })

  it('uses the share dialog of a browser that has one', async () => {
    // The tested browser has no share dialog on this system.
    const { page, link } = await openPost(
      {},
      'navigator.share = async (data) => { document.title = JSON.stringify(data) }',
    )
    await link.click()
    expect(JSON.parse(await page.title())).toEqual({ title: 'A retry must never charge twice', url })
    await page.close()
  })
})

it('shows one of several code tabs, another one by keyboard, and all of them in print, without a script', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${testBaseUrl}/posts/anatomy-of-a-402`)
  const blocks = page.locator('.tabs pre')
  const areShown = async () => [await blocks.nth(0).isVisible(), await blocks.nth(1).isVisible()]
  expect(await areShown()).toEqual([true, false])
  // Whitespace between the elements of a page would show in these texts.
  expect(await blocks.allTextContents()).toEqual([
    expect.stringMatching(/^curl .*-d$/s),
    expect.stringMatching(/^const .*\)$/s),
  ])
  await page.locator('.tabs summary', { hasText: 'fetch' }).press('Enter')
  expect(await areShown()).toEqual([false, true])
  await page.emulateMedia({ media: 'print' })
  expect(await areShown()).toEqual([true, true])
  await page.close()
})

it('has text alternatives for diagrams and formulas', async () => {
  const page = await open('/posts/durable-before-paid')
  const diagram = page.getByRole('img', { name: 'What a payment can become' })
  expect(await diagram.locator('text').allTextContents()).toContain('settling')
  const ink = (place: string) =>
    page
      .locator(place)
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  expect(await ink('.diagram svg')).toBe(await ink('.prose'))
  await page.goto(`${testBaseUrl}/posts/a-price-is-an-integer`)
  expect(await page.locator('.prose p > math[alttext="n"] mi').textContent()).toBe('n')
  expect(await page.locator('.formula > math[alttext^="p(n) = "]').isVisible()).toBe(true)
  await page.close()
  expect([...problems]).toEqual([])
})

it('copies a command with one press', async () => {
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(toTrusted(site, '/skills/x402-seller'))
  const button = page.locator('button.copy').first()
  await button.waitFor()
  await button.click()
  await expect.poll(() => button.textContent()).toMatch(/copied/i)
  // For a code change, the command after the change is copied.
  await page.goto(toTrusted(site, '/posts/durable-before-paid'))
  await page.locator('.command:has(del) button.copy').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("db.exec('begin immediate')")
  await page.close()
})

it('fades between pages', async () => {
  const page = await browser.newPage()
  await page.goto(`${testBaseUrl}/posts`)
  const fades = page.evaluate(() =>
    [...document.styleSheets].some((sheet) =>
      [...sheet.cssRules].some((rule) => /@view-transition\s*\{\s*navigation:\s*auto/.test(rule.cssText)),
    ),
  )
  expect(await fades).toBe(true)
  await page.close()
})

it('says in one line on the front page what this site is', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(testBaseUrl)
  const line = page.locator('.about-line')
  expect(await line.textContent()).toContain('without an account')
  const { height = 0 } = (await line.boundingBox()) ?? {}
  expect(height).toBeGreaterThan(0)
  expect(height).toBeLessThan(
    2 * (await line.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight))),
  )
  await page.close()
})

it('offers no e-mail subscription without a mail server', async () => {
  const follow = await (await site.fetch('/follow')).text()
  expect(follow).toContain('New posts in a feed reader')
  expect(follow.toLowerCase()).not.toContain('by e-mail')
})

it('the follow page has a markdown alternate, except when it is opened by a confirmation link', async () => {
  const page = await site.fetch('/follow')
  expect([page.headers.get('vary'), page.headers.get('link'), page.headers.get('cache-control')]).toEqual([
    'Accept',
    '</follow.md>; rel="alternate"; type="text/markdown"',
    'private, no-store',
  ])
  expect(await page.text()).toContain('<link rel="alternate" type="text/markdown" href="/follow.md"')
  const accept = { headers: { accept: 'text/markdown' } }
  const [named, asked, linked] = await Promise.all([
    site.fetch('/follow.md'),
    site.fetch('/follow', accept),
    site.fetch('/follow?confirm=x', accept),
  ])
  const markdown = await named.text()
  expect(markdown).toContain('# Follow\n\n> New posts in a feed reader, or as a podcast.\n')
  expect([await asked.text(), asked.headers.get('content-location')]).toEqual([markdown, '/follow.md'])
  expect(linked.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await (await site.fetch('/llms.txt')).text()).toContain(`/follow.md)`)
})
