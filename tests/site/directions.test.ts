import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { drawDiagram } from '../../src/content/draw-diagram.ts'
import { launch } from '../support/browser.ts'
import { testBrowser } from '../support/test-browser.ts'

const read = (name: string) => readFileSync(new URL(`../../src/styles/${name}.css`, import.meta.url), 'utf8')
const styles = read('base')

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

const boxOf = (element: Element) => {
  const { left, right } = element.getBoundingClientRect()
  return [left, right].map(Math.round)
}

it('the labels of a diagram fit their boxes in left-to-right and right-to-left posts', async () => {
  const page = await browser.newPage()
  const draw = async (language: string) => {
    await page.setContent(
      `<!doctype html><html lang="${language}"><style>${styles} svg { position: absolute; left: 0 }</style>
    <body><figure>${drawDiagram('[One|a: text; b: number] -> [Two words]')}</figure>`,
    )
    return Promise.all((await page.locator('svg text').all()).map((words) => words.evaluate(boxOf)))
  }
  expect(await draw('he')).toEqual(await draw('en'))
  await page.close()
})

it('the punctuation of a title follows its end within a line of the opposite direction', async () => {
  const page = await browser.newPage()
  await page.setContent(
    `<!doctype html><html lang="en"><style>${styles}</style><body><p>Previous post<br><a lang="he">שלום<b>!</b></a></p>`,
  )
  const [title = [], mark = []] = await Promise.all(['a', 'b'].map((name) => page.locator(name).evaluate(boxOf)))
  expect(mark[0]).toBe(title[0])
  await page.close()
})

it('English text of the interface runs left to right on a right-to-left site, and the publisher’s text stays right to left', async () => {
  const page = await browser.newPage()
  await page.setContent(
    `<!doctype html><html lang="ar"><style>${styles}${read('checkout')}</style><body>
    <form class="checkout"><button class="buy" id="buy">Buy for <b>$0.02</b></button></form>
    <button id="own">اشتر <b>الآن</b></button><span class="price" id="price">$0.06<b>+</b></span>
    <p id="said">It costs nothing<b>.</b></p><p>Latest post: <time id="date">7 نوفمبر <b>2026</b></time></p>
    <article class="reading"><div class="prose"><p id="written">npm هو <b>برنامج</b></p></div></article>`,
  )
  /** The direction in which a line continues after its first letter. */
  const wayOf = (id: string) =>
    page.locator(`#${id}`).evaluate((line) => {
      const [first, end] = [line.firstChild, line.querySelector('b')]
      if (!first || !end) return undefined
      const range = document.createRange()
      range.setStart(first, 0)
      range.setEnd(first, 1)
      return end.getBoundingClientRect().left > range.getBoundingClientRect().left ? 'ltr' : 'rtl'
    })
  const ids = ['buy', 'price', 'said', 'own', 'date', 'written']
  expect(await Promise.all(ids.map(wayOf))).toEqual(['ltr', 'ltr', 'ltr', 'rtl', 'rtl', 'rtl'])
  const sideOf = (id: string) => page.locator(`#${id}`).evaluate((line) => getComputedStyle(line).textAlign)
  expect(await Promise.all(['said', 'own'].map(sideOf))).toEqual(['right', 'center'])
  await page.close()
})

it('English text of the interface is aligned with the page, and the publisher’s text within it keeps its direction', async () => {
  const page = await browser.newPage()
  await page.setContent(
    `<!doctype html><html lang="ar"><style>${styles}</style><body><main lang="en" data-program>
    <p id="program">35 posts<b>.</b></p><p lang="en" data-program id="alone">35 posts<b>.</b></p>
    <h1 lang="ar" id="publisher">وسم<b>.</b></h1><h2 lang="en" id="title">Of a post<b>.</b></h2></main>`,
  )
  const placesOf = (id: string) =>
    page.locator(`#${id}`).evaluate((line) => {
      const range = document.createRange()
      range.selectNodeContents(line)
      const [words, mark] = [range.getBoundingClientRect(), line.querySelector('b')?.getBoundingClientRect()]
      return [
        document.documentElement.clientWidth - words.right < 40 ? 'right' : 'left',
        mark && mark.left > words.left + words.width / 2 ? 'ltr' : 'rtl',
      ]
    })
  expect(await Promise.all(['program', 'alone', 'publisher', 'title'].map(placesOf))).toEqual([
    ['right', 'ltr'],
    ['right', 'ltr'],
    ['right', 'rtl'],
    ['left', 'ltr'],
  ])
  await page.close()
})

it('a long German word is hyphenated, and an English one is not', async () => {
  const page = await browser.newPage()
  await page.setContent(
    `<!doctype html><html lang="de"><style>${styles}</style><body><h1>Rechtsschutzversicherung</h1><p lang="en">A</p>`,
  )
  const hyphensOf = (name: string) => page.locator(name).evaluate((element) => getComputedStyle(element).hyphens)
  expect(await Promise.all(['h1', 'p'].map(hyphensOf))).toEqual(['auto', 'manual'])
  await page.close()
})
