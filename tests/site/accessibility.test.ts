import { setTimeout as delay } from 'node:timers/promises'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { figure } from '../support/figures.ts'
import { layoutShift } from '../support/layout-shift.ts'
import { type RunningSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'
import { startHeardSite } from '../support/start-heard-site.ts'

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

let site: RunningSite
let browser: Browser
beforeAll(async () => {
  // With a mail server configured, the pages have an e-mail form. Nothing is sent.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', EMAIL_FROM: 'a@press.example', EMAIL_TO: 'b@press.example' }
  site = (await startHeardSite('anatomy-of-a-402', mail)).site
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

async function violations(page: Page): Promise<string[]> {
  const found: unknown = await page.evaluate('axe.run().then(({ violations }) => violations)')
  return findings.parse(found).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Long enough for the first paint to happen before the scripts arrive, as on a slow connection. */
const lateMs = 300

async function open(path: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' })
  await page.route(/\.js$/, async (route) => {
    await delay(lateMs)
    await route.continue()
  })
  await page.goto(testBaseUrl + path)
  if (path.startsWith('/search')) await page.locator('[data-search-results] a').first().waitFor()
  return page
}

/** Both widths and both colour schemes; the usual run tests two of the four pairs. */
const looks = (
  [
    { width: 390, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ] as const
).slice(0, figure(2, 4))

describe.each([
  ['the front page', '/'],
  ['the archive', '/posts'],
  ['a post with a player, code, tabs, a table and a callout', '/posts/anatomy-of-a-402'],
  ['the podcast', '/podcast'],
  ['a transcript', '/posts/anatomy-of-a-402/transcript'],
  ['a post with an aside and a diagram', '/posts/durable-before-paid'],
  ['a post with formulas', '/posts/a-price-is-an-integer'],
  ['a post with a product card', '/posts/feeds-that-validate'],
  ['a post with a very long title', '/posts/headers-for-a-small-site'],
  ['a post in another script', '/posts/anzen-na-saishikou'],
  ['the tags', '/tags'],
  ['a tag', '/tags/x402'],
  ['a series', '/series/selling-over-http'],
  ['an author', '/authors/the-farthing-press'],
  ['the skills', '/skills'],
  ['a skill', '/skills/x402-seller'],
  ['the APIs', '/apis'],
  ['an API', '/apis/llms-pack'],
  ['the page for agents', '/agents'],
  ['the page of the tools', '/agents/mcp'],
  ['the page about the press', '/about'],
  ['the search', '/search?q=payment'],
  ['the sales', '/stats'],
  ['the page for followers', '/follow'],
  ['the status', '/status'],
  ['the problems', '/problems'],
  ['a problem', '/problems/invalid-input'],
  ['the page of a price', '/skills/x402-seller/raw'],
  ['the library', '/library'],
  ['a receipt that is not there', '/receipts/r_none'],
  ['an address where nothing is', '/no-such-page'],
])('%s', (_, path) => {
  it('has no accessibility violations in light and dark, on a phone and on a desktop, and does not shift', async () => {
    const page = await open(path)
    const shift = await layoutShift(page)
    await page.evaluate(axe.source)
    const found: string[] = []
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      // The page reacts to its new size in the next frame.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      for (const violation of await violations(page)) found.push(`${width} px, ${colorScheme}: ${violation}`)
    }
    await page.close()
    expect([found, shift]).toEqual([[], 0])
  })
})
