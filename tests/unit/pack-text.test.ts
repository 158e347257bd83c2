import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../../functions/llms-pack/clean-text.ts'
import { cutText } from '../../functions/llms-pack/reading/cut-text.ts'
import { type DocumentTask, readDocument } from '../../functions/llms-pack/reading/read-document.ts'
import { toBundle } from '../../src/content/bundle.ts'
import { codePoints } from '../../src/offers/bounded-text.ts'
import { figure } from '../support/figures.ts'

const document = (body: string | Uint8Array, contentType: string, more: Partial<DocumentTask> = {}) =>
  readDocument({
    url: 'https://site.example/',
    contentType,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    isCut: false,
    maxChars: 1000,
    ...more,
  })
const latin = (text: string) => Buffer.from(text, 'latin1')

describe('a text from elsewhere', () => {
  it('keeps its words and loses its commands', () => {
    expect(cleanText('a\u0000b \u001b[1;31mred\u001b[0m \u001b]0;title\u0007c\u0008')).toBe('ab red c')
    expect(cleanText('\u001b]8;;never closed, and words that stay')).toBe('8;;never closed, and words that stay')
    expect(cleanText('\u202eevil\u202c \u2066x\u2069 \ufeffa\u200bb')).toBe('evil x ab')
    expect(cleanText('tag\u{e0041}\u{e007f}s, \ud800 half')).toBe('tags, \ufffd half')
    expect(cleanText('a\r\nb\rc\u2028d\te')).toBe('a\nb\nc\nd\te')
    expect(cleanText('שלום \u200fعربي \u200c漢字 👩‍🚀')).toBe('שלום \u200fعربي \u200c漢字 👩‍🚀')
  })

  it.each([
    ['what its server says', latin('\xe9'), 'text/plain; charset=iso-8859-1', 'é'],
    ['what its server says, in quotes', latin('\xe9'), 'text/plain; charset="ISO-8859-1"', 'é'],
    ['what it begins with, whatever is said', Buffer.from('\ufeffé'), 'text/plain; charset=iso-8859-1', 'é'],
    ['UTF-16 by its mark', Buffer.from('\ufeffé', 'utf16le'), 'text/plain', 'é'],
    ['what its meta says', latin('<meta charset="windows-1251"><p>\xef'), 'text/html', 'п'],
    [
      'what its older meta says',
      latin('<META HTTP-EQUIV=x content="text/html; charset=shift_jis"><p>\x93\xfa'),
      'text/html',
      '日',
    ],
    ['UTF-8 when a meta says UTF-16', Buffer.from('<meta charset=utf-16><p>é'), 'text/html', 'é'],
    ['UTF-8 when nobody says and it is that', Buffer.from('é'), 'text/plain', 'é'],
    ["the web's old default when it is not", latin('caf\xe9'), 'text/html', 'café'],
  ])('is read in %s', (_, body, type, text) => {
    const read = document(body, type)
    expect(read.is === 'read' ? read.text : undefined).toBe(text)
  })

  it.each([
    ['a picture', 'x', 'image/png', 'not text'],
    ['data', '{}', 'application/json', 'not text'],
    ['nothing that is named, with a zero in it', 'a\0b', '', 'not text'],
    ['UTF-7', 'x', 'text/html; charset=utf-7', 'its charset is not known'],
    ['a charset of which nobody heard', 'x', 'text/plain; charset=nope', 'its charset is not known'],
    ['a meta that names UTF-7', '<meta charset=utf-7>x', 'text/html', 'its charset is not known'],
    ['an empty page', '<script>x</script>', 'text/html', 'the page has no text'],
  ])('is not read when it is %s', (_, body, type, reason) => {
    expect(document(body, type)).toEqual({ is: 'unread', reason })
  })

  it('stays as it is when it is plain or markdown, and has the title that it gives itself', () => {
    expect(document('# A *b*\n\n<i>c</i>', 'text/markdown')).toEqual({
      is: 'read',
      title: 'A b',
      text: '# A *b*\n\n<i>c</i>',
    })
    expect(document('---\ntitle: "Named"\n---\nx', 'text/markdown')).toMatchObject({
      title: 'Named',
      text: '\\---\ntitle: "Named"\n\\---\nx',
    })
    expect(document('a <b> c', 'text/plain')).toEqual({ is: 'read', title: '', text: 'a <b> c' })
    expect(document('<!doctype html><p>x', '')).toMatchObject({ text: 'x' })
  })

  it('says that it was cut, by us or on its way, and fits with what says so', () => {
    const cut = (text: string, more: Partial<DocumentTask> = {}) => {
      const read = document(text, 'text/plain', more)
      return read.is === 'read' ? read.text : ''
    }
    expect(cut('x'.repeat(1000))).toHaveLength(1000)
    expect(codePoints(cut('🪙'.repeat(1000)))).toBe(1000)
    expect(cut('🪙'.repeat(1000))).not.toContain('[cut')
    expect(codePoints(cut('🪙'.repeat(1001)))).toBeLessThanOrEqual(1000)
    expect(cut('🪙'.repeat(1001))).toMatch(/^🪙+\n\[cut here: the page is longer\]$/u)
    expect(document(Buffer.from('aé').subarray(0, 2), 'text/plain', { isCut: true })).toMatchObject({
      text: 'a\n[cut here: the page is longer]',
    })
    expect(cut('short', { isCut: true })).toBe('short\n[cut here: the page is longer]')
  })
})

const forged = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '---',
          '-',
          '\n',
          '\r\n',
          '\u2028',
          '\u001b[1m',
          '\u200b',
          '\0',
          '\\',
          ' ',
          '\nhttps://forged.example/\n',
          '🪙',
        ),
      },
      fc.constantFrom(
        '<pre>',
        '</pre>',
        '<p>',
        '<br>',
        '<hr>',
        '<title>',
        '</title>',
        '&#45;',
        '&#10;',
        '&shy;',
        '<b>',
        '</b>',
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))
const page = fc.record({
  body: forged,
  type: fc.constantFrom('text/html', 'text/plain', 'text/markdown'),
  fill: fc.nat(1100),
})

describe('a bundle of pages that forge seams', () => {
  it('has one section for each page, in order, each as long as it may be', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 3 }), (pages) => {
        const sections = pages.map(({ body, type, fill }, at) => {
          const read = document(body + '-'.repeat(fill) + body, type)
          const url = `https://site.example/${at}`
          return read.is === 'read'
            ? { title: read.title, url, body: read.text }
            : { title: '', url, body: `[not fetched: ${read.reason}]` }
        })
        const found = toBundle(sections).split('\n---\n')
        return (
          found.length === pages.length &&
          found.every((section, at) => {
            const [title = '', url, ...lines] = section.split('\n')
            return (
              title !== '' &&
              url === sections[at]?.url &&
              codePoints(lines.join('\n')) <= 1000 &&
              !lines.includes('---')
            )
          })
        )
      }),
      { numRuns: figure(10_000, 50_000) },
    )
  })

  it('cuts without making a seam', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.constantFrom('-', '- ', '-\n', '---\n', '--- '), (lead, unit) => {
        const text = cutText(`${'x'.repeat(lead)}\n${unit.repeat(80)}`, 100)
        return codePoints(text) <= 100 && !text.split('\n').includes('---')
      }),
    )
  })
})
