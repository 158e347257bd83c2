import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { hearEveryPost } from '../support/hear-every-post.ts'
import { type RunningSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'
import { startHeardSite } from '../support/start-heard-site.ts'

const slugs = readdirSync(join(buildFiles(testBuild()).client, 'posts'), { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name)

let site: RunningSite
let browser: Browser
beforeAll(async () => {
  const heard = await startHeardSite('fair-play')
  site = heard.site
  await hearEveryPost(join(site.dataDir, 'audio'), heard.episode)
  // The running site notices within seconds that another program has narrated a post.
  const isHeard = async (slug: string) => (await (await site.fetch(`/posts/${slug}`)).text()).includes('data-player')
  await vi.waitUntil(async () => (await Promise.all(slugs.map(isHeard))).every(Boolean), 240_000)
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

describe.each([
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])('on a screen of $width by $height', ({ width, height }) => {
  it.each(slugs)('%s shows its first sentence without scrolling, and a play button in its byline', async (slug) => {
    const page = await browser.newPage({ viewport: { width, height } })
    await page.goto(`${testBaseUrl}/posts/${slug}`)
    const play = page.locator('.byline-row').getByRole('button', { name: /^Listen/ })
    await play.waitFor()
    const { sentence, bottom } = await page.evaluate(() => {
      const paragraph = document.querySelector('.prose > p')
      const text = paragraph?.textContent ?? ''
      const [first] = new Intl.Segmenter(document.documentElement.lang, { granularity: 'sentence' }).segment(text)
      const range = document.createRange()
      range.selectNodeContents(paragraph ?? document.body)
      const walker = document.createTreeWalker(paragraph ?? document.body, NodeFilter.SHOW_TEXT)
      let left = first?.segment.length ?? 0
      for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
        if (left <= node.data.length) {
          range.setEnd(node, left)
          break
        }
        left -= node.data.length
      }
      return { sentence: String(range), bottom: range.getBoundingClientRect().bottom }
    })
    expect(sentence).toMatch(/\S/)
    expect([sentence, Math.max(bottom, height)]).toEqual([sentence, height])
    expect((await play.boundingBox())?.y).toBeLessThan(height)
    await page.close()
  })
})

it('collapses the table of contents on a telephone, and shows it open beside the text on a wide screen', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${testBaseUrl}/posts/fair-play`)
  const first = page.getByRole('navigation', { name: 'Contents' }).getByRole('link').first()
  expect(await first.isVisible()).toBe(false)
  await page.locator('.toc summary').press('Enter')
  expect(await first.isVisible()).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  expect([await first.isVisible(), await page.locator('.toc summary').isVisible()]).toEqual([true, false])
  await page.close()
})
