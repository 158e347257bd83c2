import { htmlToMarkdown } from '../../functions/llms-pack/html/html-to-markdown.ts'
import { readWithReadability } from '../../tests/support/readability.ts'
import { savedPages } from '../../tests/support/saved-pages.ts'
import { shareOf } from '../../tests/support/text-share.ts'
import type { Row, Sample } from '../row.ts'

const peer = 'Readability on jsdom'
const pages = 'pages'
const kept = 'main text kept'
const leaked = 'text from around it'

type Read = (html: string) => { title: string; text: string }

const ours: Read = (html) => htmlToMarkdown(html, { url: 'https://site.example/', enough: 150_000 })

/** The speed and quality of extracting the main text of pages. */
export const textExtraction: Row = {
  title: 'Text of pages',
  meaning:
    'The main text of 50 pages of 19 kinds (news, blogs, documentation, encyclopedias, forums, shops, tables for layout, letters, four scripts), written for the tests with the main text marked by hand. Ours sets it as markdown; `@mozilla/readability` on `jsdom` gives plain text. *Main text kept* counts the marked sentences that are found, *text from around it* those of menus, banners and advertisements that are found too.',
  measures: [
    { name: pages, unit: '/s', digits: 0 },
    { name: kept, unit: '%', digits: 1, limit: { is: 'at least', figure: 99 } },
    { name: leaked, unit: '%', digits: 1, limit: { is: 'at most', figure: 5 } },
  ],
  goals: [
    { measure: pages, peer, is: 'at least', ratio: 10 },
    { measure: kept, peer, is: 'at least', ratio: 1 },
    { measure: leaked, peer, is: 'at most', ratio: 1 },
  ],
  start: async ({ seconds }) => ({
    ours: async () => measureReading(ours, seconds),
    peers: { [peer]: async () => measureReading(readWithReadability, seconds) },
  }),
}

function measureReading(read: Read, seconds: number): Sample {
  let count = 0
  const from = performance.now()
  while (performance.now() - from < seconds * 1000) {
    for (const { html } of savedPages) read(html)
    count += savedPages.length
  }
  const perSecond = count / ((performance.now() - from) / 1000)
  const results = savedPages.map(({ html, main, chrome }) => {
    const { title, text } = read(html)
    return { kept: shareOf(main, `${title}\n${text}`), leaked: shareOf(chrome, text) }
  })
  const percent = (figures: readonly number[]) =>
    (100 * figures.reduce((sum, figure) => sum + figure, 0)) / figures.length
  return {
    [pages]: perSecond,
    [kept]: percent(results.map((result) => result.kept)),
    [leaked]: percent(results.map((result) => result.leaked)),
  }
}
