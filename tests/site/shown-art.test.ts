import type { Browser } from 'playwright'
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

describe.each(['/', '/posts', '/tags/x402'])('%s', (path) => {
  it('shows each post with its cover, which links to the post', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.goto(testBaseUrl + path)
    const stories = page.locator('.story')
    const count = await stories.count()
    expect(count).toBeGreaterThan(2)
    expect(await stories.locator('.cover img').count()).toBe(count)
    const cover = stories.nth(1).locator('.cover img')
    const href = await stories.nth(1).locator('h2 a, h3 a').getAttribute('href')
    await cover.scrollIntoViewIfNeeded()
    const box = await cover.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
    await page.waitForURL(testBaseUrl + href)
    await page.close()
  })

  it('does not shift while the covers load', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(testBaseUrl + path, { waitUntil: 'networkidle' })
    const shift = await page.evaluate(async () => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += Number(Reflect.get(entry, 'value'))
      }).observe({ type: 'layout-shift', buffered: true })
      for (let top = 0; top < document.body.scrollHeight; top += 500) {
        scrollTo({ top, behavior: 'instant' })
        await new Promise(requestAnimationFrame)
      }
      await new Promise((done) => setTimeout(done, 300))
      return sum
    })
    expect(shift).toBe(0)
    await page.close()
  })
})
