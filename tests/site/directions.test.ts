import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch } from '../support/browser.ts'
import { testBrowser } from '../support/test-browser.ts'

const styles = readFileSync(new URL('../../src/styles/base.css', import.meta.url), 'utf8')

let browser: Browser
beforeAll(async () => {
  browser = await launch(testBrowser())
})
afterAll(() => browser?.close())

it.each([
  ['he', 'rtl'],
  ['ar-EG', 'rtl'],
  ['fa', 'rtl'],
  ['ku-Arab', 'rtl'],
  ['en', 'ltr'],
  ['ja', 'ltr'],
  ['ar-Latn', 'ltr'],
])(
  'a post in %s runs %s, and what the site says around it the other way where that is English',
  async (language, way) => {
    const page = await browser.newPage()
    await page.setContent(
      `<!doctype html><html lang="${language}"><style>${styles}</style>
    <body><header lang="en">Press</header><h1>A</h1><p>B <code>c()</code></p>
    <section lang="en"><h2>Related</h2><h3 lang="${language}">D</h3></section>`,
    )
    const wayOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).direction)
    expect(await Promise.all(['html', 'h1', 'p', 'h3'].map(wayOf))).toEqual([way, way, way, way])
    expect(await Promise.all(['header', 'code', 'h2'].map(wayOf))).toEqual(['ltr', 'ltr', 'ltr'])
    await page.close()
  },
)
