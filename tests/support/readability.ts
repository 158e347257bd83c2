import { Readability } from '@mozilla/readability'
import { JSDOM } from 'jsdom'

/** The text that Firefox's reader view (Readability) extracts from a page. */
export function readWithReadability(html: string): { title: string; text: string } {
  const { window } = new JSDOM(html, { url: 'https://site.example/' })
  const article = new Readability(window.document).parse()
  return { title: article?.title ?? '', text: article?.textContent ?? '' }
}
