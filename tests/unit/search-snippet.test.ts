import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchTerms } from '../../src/search/search-terms.ts'
import { toOpening, toSnippet } from '../../src/search/snippet.ts'
import { anyCharacter } from '../support/any-text.ts'
import { figure, limitMs, seed } from '../support/figures.ts'

const snippetOf = (text: string, query: string) => toSnippet(text, searchTerms(query))

const pieces = fc.oneof(
  fc.constantFrom('<script>alert(1)</script>', '<mark>', '</mark>', '<b onload=x>', '&lt;', '&amp;', '&#60;', '"', "'"),
  fc.constantFrom('<', '>', '&', '\u0001', '\u2028', '\ud800', '\udc00', '…', ' ', '\n', 'script', 'mark', 'lt', 'amp'),
  fc.constantFrom('東京', 'がき', 'สวัสดี', '한국어', 'é', 'e\u0301', '😀', 'İ', 'ß', 'ﷺ', 'x'.repeat(300)),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
)
const hostile = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(''))
const decode = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Text without what a snippet may change: white space, and lone surrogates. */
const bare = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\s\ufffd]/gu, '')

describe('a snippet', () => {
  it('marks the terms and nothing else', () => {
    expect(snippetOf('A <b>cat</b> & a Càt', 'cat')).toBe(
      'A &lt;b&gt;<mark>cat</mark>&lt;/b&gt; &amp; a <mark>Càt</mark>',
    )
    expect(snippetOf('私は東京都に住む', '東京都')).toBe('私は<mark>東京都</mark>に住む')
    expect(snippetOf('unfinished words', 'unfin')).toBe('<mark>unfinished</mark> words')
    expect(snippetOf('nothing here', 'absent')).toBeUndefined()
  })

  it('marks the right place after characters whose length changes when they are normalized', () => {
    expect(snippetOf('Das Maß, die Masse, das MASS', 'mass')).toBe(
      'Das <mark>Maß</mark>, die <mark>Masse</mark>, das <mark>MASS</mark>',
    )
    expect(snippetOf('والكِتَابُ هو كتاب وكِتابٌ و كِتَابُ', 'كتاب')).toBe(
      'والكِتَابُ هو <mark>كتاب</mark> وكِتابٌ و <mark>كِتَابُ</mark>',
    )
    expect(snippetOf('cafe and cafe\u0301', 'café')).toBe('<mark>cafe</mark> and <mark>cafe\u0301</mark>')
  })

  it('has one space for any white space and control characters', () => {
    expect(toOpening('a  b\n c\u0001d \t\u2028 e\u00a0f g\n')).toBe('a b c d e f g ')
    expect(snippetOf('\n\n one \r\n two', 'one')).toBe(' <mark>one</mark> two')
  })

  it('is cut between user-perceived characters if no space is near', () => {
    const family = '👨‍👩‍👧‍👦'
    for (let shift = 0; shift < 12; shift += 1) {
      const text = '一'.repeat(shift) + `${family}か\u3099`.repeat(40)
      expect(toOpening(text)).toMatch(new RegExp(`^一*(?:${family}か\u3099)*(?:${family})?…$`))
      const snippet = snippetOf(`${text}東京${text}`, '東京')
      expect(snippet).toMatch(
        new RegExp(`^…(?:か\u3099)?(?:${family}か\u3099)*<mark>東京</mark>一*(?:${family}か\u3099)*(?:${family})?…$`),
      )
    }
  })

  it('is from the part with most of the terms', () => {
    const far = 'filler '.repeat(100)
    expect(snippetOf(`alpha ${far} alpha beta ${far}`, 'alpha beta')).toMatch(
      /^…(?:filler )+<mark>alpha<\/mark> <mark>beta<\/mark> filler.*…$/,
    )
  })

  it('has no markup except <mark>, and is a part of the text, whatever the text is', {
    timeout: limitMs(600_000, 3_600_000),
  }, () => {
    fc.assert(
      fc.property(hostile, hostile, (text, query) => {
        const html = snippetOf(text, query) ?? toOpening(text)
        const withoutMarks = html.replace(/<mark>([^<>]+)<\/mark>/g, '$1')
        if (/[<>"']/.test(withoutMarks) || /&(?!(?:amp|lt|gt|quot|#39);)/.test(withoutMarks)) throw new Error(html)
        if (!html.isWellFormed()) throw new Error('half a character')
        const plain = bare(text)
        const piece = bare(decode(withoutMarks).replace(/^…|…$/g, ''))
        if (!plain.includes(piece)) throw new Error(`${JSON.stringify(piece)} is not in ${JSON.stringify(plain)}`)
      }),
      { numRuns: figure(100_000, 5_000_000), ...seed },
    )
  })
})
