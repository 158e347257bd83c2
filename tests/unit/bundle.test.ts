import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardSeparators, toBundle } from '../../src/content/bundle.ts'
import { figure, seed } from '../support/figures.ts'

const hostile = fc
  .array(
    fc.oneof(fc.constantFrom('---', '\n', '\r\n', '\r', '\u2028', '\v', ' ', '\\', 'a', '-', '\u001e'), fc.string()),
  )
  .map((parts) => parts.join(''))
const section = fc.record({
  title: hostile,
  url: fc.webUrl(),
  body: hostile,
})
const sections = fc.array(section, { minLength: 1, maxLength: 20 })

/** Lines, split at every character that some reader treats as a line end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
const lines = (text: string) => text.split(/\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/)

describe('a bundle', () => {
  it('consists of title, address and body per page, with a line of three hyphens between sections', () => {
    expect(
      toBundle([
        { title: ' A \n title ', url: 'https://a.example/', body: '\n\nOne\n\nTwo\n' },
        { title: '', url: 'https://b.example/', body: '' },
      ]),
    ).toBe('A title\nhttps://a.example/\nOne\n\nTwo\n---\nhttps://b.example/\nhttps://b.example/')
  })

  it('escapes a body line that is exactly three hyphens, and no other', () => {
    const body = 'a\n---\n----\n ---\n-- -\n---'
    expect(toBundle([{ title: 'T', url: 'https://a.example/', body }])).toBe(
      'T\nhttps://a.example/\na\n\\---\n----\n ---\n-- -\n\\---',
    )
  })

  it('has exactly one section per page, in order, whatever the pages contain', () => {
    fc.assert(
      fc.property(sections, (pages) => {
        const parts = toBundle(pages).split('\n---\n')
        return parts.length === pages.length && parts.every((part, place) => part.split('\n')[1] === pages[place]?.url)
      }),
      { numRuns: figure(5000, 100_000), ...seed },
    )
  })

  it('has the same separators for every reader, whichever line ends it knows', () => {
    fc.assert(
      fc.property(
        sections,
        (pages) => lines(toBundle(pages)).filter((line) => line === '---').length === pages.length - 1,
      ),
      { numRuns: figure(5000, 100_000), ...seed },
    )
  })

  it('keeps the text of a body', () => {
    fc.assert(
      fc.property(
        fc.lorem({ mode: 'sentences' }),
        (body) => toBundle([{ title: 'T', url: 'u', body }]) === `T\nu\n${body}`,
      ),
    )
  })

  it('is unchanged when it is escaped twice', () => {
    fc.assert(fc.property(hostile, (text) => guardSeparators(guardSeparators(text)) === guardSeparators(text)))
  })
})
