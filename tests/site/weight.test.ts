import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figure } from '../support/figures.ts'
import { layoutShift } from '../support/layout-shift.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor, toTrusted } from '../support/site-browser.ts'

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

const isDeep = figure(0, 1) === 1

/** On a slow telephone, fonts and pictures arrive long after the text. */
const isHeavy = /\.(?:woff2|avif|webp|jpe?g|png)$/
const slowMs = 900
/** A usual mobile connection of about 9 Mbit/s. On the slowest, a first view may use fallback fonts. */
const usualLine = { offline: false, latency: 60, downloadThroughput: 1_100_000, uploadThroughput: 1_100_000 }

/** Loads a page with an empty cache and counts the bytes received, headers included. */
async function load(path: string, { isSlow = false } = {}): Promise<{ page: Page; bytes: Map<string, number> }> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send('Network.enable')
  if (isSlow)
    await page.route(isHeavy, async (route) => {
      await delay(slowMs)
      await route.continue()
    })
  const urls = new Map<string, string>()
  const bytes = new Map<string, number>()
  wire.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId) ?? ''
    if (url.startsWith('http')) bytes.set(new URL(url).pathname, encodedDataLength)
  })
  await page.goto(testBaseUrl + path, { waitUntil: 'networkidle', timeout: 60_000 })
  return { page, bytes }
}

/** The scripts of a page without every-page.js, which has the reader settings and the search key. */
const scriptsOf = (bytes: Map<string, number>) =>
  [...bytes.keys()].filter((path) => /\.m?js$/.test(path) && !/\/_astro\/every-page\./.test(path))

it('the front page, scrolled to its end, weighs less than 200 KB with fonts and the pictures of ten posts', async () => {
  const { page, bytes } = await load('/')
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.waitForLoadState('networkidle')
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0)
  expect([...bytes.keys()].some((path) => path.endsWith('.woff2'))).toBe(true)
  expect(total, JSON.stringify([...bytes])).toBeLessThan(200_000)
  await page.context().close()
})

describe.each(['/', '/posts/anatomy-of-a-402', '/apis/llms-pack'])('%s', (path) => {
  it('does not shift while it loads on a slow connection', async () => {
    const { page } = await load(path, { isSlow: true })
    expect(await layoutShift(page)).toBe(0)
    await page.context().close()
  })
})

/** Whether a first view of a page uses the fonts of the site on a usual mobile connection. */
async function usesFaces(path: string): Promise<boolean> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  for (const domain of ['Network', 'DOM', 'CSS'] as const) await wire.send(`${domain}.enable`)
  await wire.send('Network.emulateNetworkConditions', usualLine)
  await page.goto(testBaseUrl + path, { waitUntil: 'networkidle' })
  const { root } = await wire.send('DOM.getDocument')
  const used: boolean[] = []
  for (const selector of ['h1', 'main p', '.colophon-head']) {
    const { nodeId } = await wire.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    const { fonts } = await wire.send('CSS.getPlatformFontsForNode', { nodeId })
    used.push(fonts.some(({ isCustomFont }) => isCustomFont))
  }
  await context.close()
  return used.every(Boolean)
}

describe.each(['/', '/posts/anatomy-of-a-402'])('%s', (path) => {
  it('preloads its fonts before everything that a first view can do without', async () => {
    const head = (await (await site.fetch(path)).text()).split('</head>')[0] ?? ''
    const links = [...head.matchAll(/<link[^>]*>/g)].map(([link]) => link)
    const faces = links.filter((link) => link.includes('as="font"'))
    expect(faces.length).toBeGreaterThanOrEqual(2)
    expect(links.filter((link) => !link.includes('rel="canonical"')).slice(0, faces.length)).toEqual(faces)
    expect(faces.filter((link) => link.includes('fetchpriority'))).toEqual([])
  })

  // How soon the fonts arrive also depends on the machine.
  it.runIf(isDeep)('uses the fonts of the site from the first view on', async () => {
    const views: boolean[] = []
    for (let view = 0; view < 5; view += 1) views.push(await usesFaces(path))
    expect(views.filter(Boolean).length, views.join()).toBeGreaterThanOrEqual(3)
  })
})

const toRange = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at))
/** Characters of Western European languages: ASCII, Latin-1 without the soft hyphen, and typographic punctuation. */
const letters = `${toRange(0x21, 0x7e)}${toRange(0xa1, 0xac)}${toRange(0xae, 0xff)}ŒœıʼˆŠ–—‘’‚“”„•‹›⁄€™−`

it.each([400, 600])(
  'has fonts for all letters and signs of Western Europe in weight %i, and loads only those of English for English',
  async (weight) => {
    const { page, bytes } = await load('/about')
    expect([...bytes.keys()].filter((path) => path.includes('-supplement'))).toEqual([])
    const font = `${weight} 18px Copied`
    await page.evaluate(
      async ({ text, font }) => {
        // A font-display of optional would ignore a late font on a slow machine, so the test loads a copy with block.
        const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
        for (const rule of rules) {
          if (!(rule instanceof CSSFontFaceRule)) continue
          const read = (name: string) => rule.style.getPropertyValue(name)
          if (!/^"?Newsreader"?$/.test(read('font-family'))) continue
          const [weight, unicodeRange] = [read('font-weight'), read('unicode-range')]
          document.fonts.add(new FontFace('Copied', read('src'), { weight, unicodeRange, display: 'block' }))
        }
        await document.fonts.load(font, text)
        for (const letter of text) {
          const shown = document.createElement('p')
          shown.className = 'letter'
          shown.style.font = font
          shown.textContent = letter
          document.body.append(shown)
        }
      },
      { text: letters, font },
    )
    const wire = await page.context().newCDPSession(page)
    for (const domain of ['DOM', 'CSS'] as const) await wire.send(`${domain}.enable`)
    const { root } = await wire.send('DOM.getDocument')
    const { nodeIds } = await wire.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '.letter' })
    const strange: string[] = []
    for (const [at, nodeId] of nodeIds.entries()) {
      const { fonts } = await wire.send('CSS.getPlatformFontsForNode', { nodeId })
      if (!fonts.every(({ isCustomFont }) => isCustomFont)) strange.push([...letters][at] ?? '')
    }
    expect([nodeIds.length, strange]).toEqual([[...letters].length, []])
    await page.context().close()
  },
)

describe('scripts', () => {
  it.each(['/posts', '/tags/x402', '/skills', '/apis', '/about', '/stats', '/status', '/problems', '/no-such-page'])(
    'of %s are only those of every page',
    async (path) => {
      const { page, bytes } = await load(path)
      expect(scriptsOf(bytes)).toEqual([])
      await page.context().close()
    },
  )

  it('of every page are below 2 KB, in one file that is cached as immutable', async () => {
    const [, path = ''] = /src="(\/_astro\/every-page\.[^"]+)"/.exec(await (await site.fetch('/about')).text()) ?? []
    const answer = await site.fetch(path)
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect((await answer.text()).length).toBeLessThan(2000)
  })

  it('of the front page include one for agents in browsers, below 2 KB', async () => {
    const { page, bytes } = await load('/')
    const [script = '', ...others] = scriptsOf(bytes)
    expect([script, others]).toEqual([expect.stringContaining('/_astro/web-mcp.'), []])
    expect((await (await site.fetch(script)).text()).length).toBeLessThan(2000)
    await page.context().close()
  })

  it.each(['/skills/x402-seller', '/apis/llms-pack'])(
    'of %s have 15 KB for buying, and 4 KB for the rest',
    async (path) => {
      const names = ['checkout', 'money', 'page-tools']
      const { page, bytes } = await load(path)
      const scripts = scriptsOf(bytes).toSorted()
      expect(scripts).toEqual(names.map((name) => expect.stringContaining(`/_astro/${name}.`)))
      const sizes = await Promise.all(scripts.map(async (script) => (await (await site.fetch(script)).bytes()).length))
      const sizeOf = (name: string) => sizes[names.indexOf(name)] ?? 0
      expect(sizeOf('checkout') + sizeOf('money')).toBeLessThan(15_000)
      expect(sizeOf('page-tools')).toBeLessThan(4000)
      await page.context().close()
    },
  )

  it('of a page have a lower priority than what is needed to paint it', async () => {
    const { page } = await load('/posts/anatomy-of-a-402')
    const modules = page.locator('script[type="module"]')
    expect(await modules.count()).toBeGreaterThan(0)
    for (const script of await modules.all()) expect(await script.getAttribute('fetchpriority')).toBe('low')
    await page.context().close()
  })
})

it('a keyboard reaches every link and button of a post in page order, with visible focus', async () => {
  const { page } = await load('/posts/anatomy-of-a-402')
  const stops = await page
    .locator(':is(a[href], button, summary, input, select, textarea, [tabindex="0"]):visible')
    .count()
  let last = -1
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab')
    const [place, outline] = await page.evaluate(() => {
      const active = document.activeElement
      const all = [
        ...document.querySelectorAll('a[href], button, summary, input, select, textarea, [tabindex="0"]'),
      ].filter((stop) => stop.checkVisibility({ contentVisibilityAuto: true }))
      return [active ? all.indexOf(active) : -1, active ? getComputedStyle(active).outlineStyle : 'none']
    })
    expect([stop, place, outline]).toEqual([stop, last + 1, 'solid'])
    last = place
  }
  await page.context().close()
})

it('a link beside each heading leads to it, and copying code is announced to screen readers', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(toTrusted(site, '/posts/anatomy-of-a-402'))
  const anchor = page.locator('.section .anchor').first()
  await anchor.focus()
  expect(await anchor.evaluate((link) => getComputedStyle(link).opacity)).toBe('1')
  await page.keyboard.press('Enter')
  expect(new URL(page.url()).hash).toBe('#the-request-that-is-refused')
  const block = page.locator('.prose .command').first()
  await block.getByRole('button', { name: 'Copy' }).press('Enter')
  await expect.poll(() => block.getByRole('status').textContent()).toBe('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^POST \/api\/x402\/llms\/pack HTTP\/1\.1\n/,
  )
  await page.context().close()
})

it('without JavaScript a post is complete, and shows no button that would do nothing', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${testBaseUrl}/posts/anatomy-of-a-402`)
  expect(await page.locator('.prose pre').count()).toBeGreaterThan(5)
  expect(await page.locator('.prose .code-string-expression').count()).toBeGreaterThan(5)
  expect(await page.locator('button:not([type="submit"]):visible').count()).toBe(0)
  await page.close()
})

it('prefetches a page when the pointer is on its link, but never a paid address', async () => {
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.headers()['sec-purpose']?.startsWith('prefetch')) asked.push(new URL(request.url()).pathname)
  })
  await page.goto(toTrusted(site, '/skills/x402-seller'))
  await page.locator('nav a[href="/podcast"]').first().hover()
  await expect.poll(() => asked).toEqual(['/podcast'])
  const paths = [
    '/posts/fair-play',
    '/posts/fair-play.md',
    '/skills/x402-seller/raw',
    '/llms-full.txt',
    '/api/search.json',
  ]
  const matched = await page.evaluate(`fetch('/prefetch.json').then((answer) => answer.json()).then((rules) => {
    const [{ href_matches }, { not }] = rules.prefetch[0].where.and
    const isOf = (patterns, pathname) => [patterns].flat().some((one) => new URLPattern({ pathname: one }).test({ pathname }))
    return ${JSON.stringify(paths)}.filter((path) => isOf(href_matches, path) && !isOf(not.href_matches, path))
  })`)
  expect(matched).toEqual(['/posts/fair-play'])
  await page.close()
})

it('prints a post with its text and its source, without parts that only work on a screen', async () => {
  const { page } = await load('/posts/anatomy-of-a-402')
  await page.emulateMedia({ media: 'print' })
  // About the width of a printed page.
  await page.setViewportSize({ width: 718, height: 1000 })
  for (const [name, isPrinted] of [
    ['.prose > p', true],
    ['.printed-from', true],
    ['.masthead nav', false],
    ['.toc', false],
    ['.colophon', false],
    ['.try-it', false],
    ['.neighbours', false],
  ] as const)
    expect([name, await page.locator(name).first().isVisible()]).toEqual([name, isPrinted])
  expect(await page.locator('.printed-from').textContent()).toContain(`${testBaseUrl}/posts/anatomy-of-a-402`)
  const edges = ['h1', '.lead', '.prose > p'].map(async (name) => (await page.locator(name).first().boundingBox())?.x)
  expect(new Set(await Promise.all(edges)).size).toBe(1)
  expect(await page.locator('button:visible').count()).toBe(0)
  await page.context().close()
})
