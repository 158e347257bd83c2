import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../functions/llms-pack/html/html-to-markdown.ts'
import { readWithReadability } from '../support/readability.ts'
import { savedPages } from '../support/saved-pages.ts'
import { shareOf } from '../support/text-share.ts'

const mean = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0) / figures.length

const results = savedPages.map(({ name, html, main, chrome }) => {
  const ours = htmlToMarkdown(html, { url: 'https://site.example/', enough: 100_000 })
  const theirs = readWithReadability(html)
  const judge = ({ title, text }: { title: string; text: string }) => ({
    kept: shareOf(main, `${title}\n${text}`),
    leaked: shareOf(chrome, text),
  })
  return { name, ours: judge(ours), theirs: judge(theirs) }
})

describe('the main text of fifty pages of nineteen kinds', () => {
  it('has fifty pages, each with a text of its own', () => {
    expect(savedPages).toHaveLength(50)
    expect(new Set(savedPages.map(({ html }) => html)).size).toBe(50)
  })

  it.each(results)('is extracted at least as well as by a browser’s reader mode: $name', ({ ours, theirs }) => {
    expect(ours.kept).toBeGreaterThanOrEqual(theirs.kept)
    expect(ours.leaked).toBeLessThanOrEqual(theirs.leaked)
  })

  it('is extracted to 99 percent, with less than five percent of the surrounding text', () => {
    const [kept, leaked] = [mean(results.map(({ ours }) => ours.kept)), mean(results.map(({ ours }) => ours.leaked))]
    expect(kept).toBeGreaterThanOrEqual(0.99)
    expect(leaked).toBeLessThanOrEqual(0.05)
    expect(kept).toBeGreaterThan(mean(results.map(({ theirs }) => theirs.kept)))
    expect(leaked).toBeLessThan(mean(results.map(({ theirs }) => theirs.leaked)))
  })
})
