import { Readability } from '@mozilla/readability'
import { JSDOM } from 'jsdom'

/** What the reader view of a well-known browser makes of a page, over a tree of the whole page. */
export function readWithReadability(html: string): { title: string; text: string } {
  const { window } = new JSDOM(html, { url: 'https://site.example/' })
  const article = new Readability(window.document).parse()
  return { title: article?.title ?? '', text: article?.textContent ?? '' }
}
