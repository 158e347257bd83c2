import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPlainText, withValues } from '../../src/content/to-plain-text.ts'
import { readWriting } from '../../src/content/writing.ts'
import { searchTerms } from '../../src/search/search-terms.ts'
import { toTokens } from '../../src/search/to-tokens.ts'
import { figure, limitMs, seed } from '../support/figures.ts'

const termsOf = (text: string) => [...toTokens(text)].map(({ term }) => term)

describe('the terms of a text', () => {
  it('are words without case, diacritics and width', () => {
    expect(termsOf('Crème BRÛLÉE, Straße; ﬁsh Ｆｕｌｌ İstanbul ΛΌΓΟΣ smørrebrød')).toEqual([
      'creme',
      'brulee',
      'strasse',
      'fish',
      'full',
      'istanbul',
      'λογοσ',
      'smorrebrod',
    ])
    expect(termsOf('λόγος')).toEqual(termsOf('ΛΟΓΟΣ'))
  })

  it('are Arabic and Persian words without vowels and stretching, with equivalent letters and digits unified', () => {
    expect(termsOf('الكِتَابُ كتـــاب مدرسة مستشفى أحمد می ک ١٢٣٤ ۱۲۳۴')).toEqual(
      termsOf('الكتاب كتاب مدرسه مستشفي احمد مي ك 1234 1234'),
    )
  })

  it('are whole words despite soft hyphens', () => {
    expect(termsOf('Donau\u00addampf\u00adschiff\u00ad, a')).toEqual(['donaudampfschiff', 'a'])
    expect(toPlainText(readWriting('Donau&shy;dampf&shy;schiff'))).toBe('Donaudampfschiff')
  })

  it('keep the vowels of scripts that write them as marks', () => {
    expect(termsOf('हिन्दी में')).toEqual(['हिन्दी', 'में'])
    expect(termsOf('かき')).not.toEqual(termsOf('がき'))
  })

  it('are truncated to 64 characters, in texts and queries alike', () => {
    expect(termsOf('x'.repeat(100))).toEqual(['x'.repeat(64)])
    expect(searchTerms('x'.repeat(100)).prefix).toBe('x'.repeat(64))
  })

  it('are characters and pairs in scripts without spaces', () => {
    expect(termsOf('東京都 and')).toEqual(['東', '東京', '京', '京都', '都', 'and'])
  })
})

describe('the terms of a query', () => {
  it('are requested once each, the last word as a prefix', () => {
    expect(searchTerms('the cat The ca')).toEqual({ exact: ['cat', 'the'], prefix: 'ca' })
    expect(searchTerms('cat cat')).toEqual({ exact: [], prefix: 'cat' })
  })

  it('are pairs in scripts without spaces, or a single character', () => {
    expect(searchTerms('東京都')).toEqual({ exact: ['東京', '京都'], prefix: undefined })
    expect(searchTerms('猫 dog')).toEqual({ exact: ['猫'], prefix: 'dog' })
  })

  it('are at most 12', () => {
    const { exact, prefix } = searchTerms(Array.from({ length: 100 }, (_, place) => `w${place}`).join(' '))
    expect([exact.length, prefix]).toEqual([11, 'w11'])
  })

  it('are all in the text that the query was taken from', { timeout: limitMs(600_000, 900_000) }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const all = termsOf(text)
        const { exact, prefix } = searchTerms(text)
        expect(all).toEqual(expect.arrayContaining(prefix === undefined ? [...exact] : [...exact, prefix]))
      }),
      { numRuns: figure(5000, 500_000), ...seed },
    )
  })
})

it('a body is indexed as it is read: without markup and addresses, including code', () => {
  const markdown = [
    '## A *heading*',
    '',
    '> A [link](https://example.com/a_(b) "title") and ![a picture](/x.png), **bold** snake_case _soft_.[^1]',
    '',
    '| a | b |',
    '| --- | :-: |',
    '| 1 \\| 2 | `x*y` |',
    '',
    '```ts',
    'const a = b * c // `code`',
    '```',
    '',
    '- item',
    '',
    '[^1]: A note \\<here>',
  ].join('\n')
  expect(toPlainText(readWriting(markdown))).toBe(
    'A heading A link and a picture, bold snake_case soft. a b 1 | 2 x*y const a = b * c // `code` item A note <here>',
  )
})

it('a heading in the table of contents has the values of its expressions', () => {
  const writing = readWriting('export const n = 3\n\n## A *b* {n + 4}\n\n## "C"')
  expect(withValues([{ text: 'A b n + 4' }, { text: '“C”' }], writing)).toEqual([{ text: 'A b 7' }, { text: '“C”' }])
})
