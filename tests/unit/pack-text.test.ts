import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../../functions/llms-pack/clean-text.ts'
import { cutText } from '../../functions/llms-pack/reading/cut-text.ts'
import type { DocumentTask } from '../../functions/llms-pack/reading/document.ts'
import { jsonToText } from '../../functions/llms-pack/reading/json-to-text.ts'
import { readDocument } from '../../functions/llms-pack/reading/read-document.ts'
import { toBundle } from '../../src/content/bundle.ts'
import { toCodeBlock } from '../../src/core/markdown.ts'
import { codePoints } from '../../src/offers/bounded-text.ts'
import { anyCharacter } from '../support/any-text.ts'
import { figure, seed } from '../support/figures.ts'

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

describe('a fetched text', () => {
  it('keeps its words and loses control sequences', () => {
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
    ['what it is, behind a mark and without a type', Buffer.from('\ufeff<!doctype html><p>é'), '', 'é'],
    ['what it is, its type on two lines', Buffer.from('<!DOCTYPE\n html><p>é'), '', 'é'],
    ["the web's old default when it is not", latin('caf\xe9'), 'text/html', 'café'],
  ])('is decoded as %s', (_, body, type, text) => {
    const read = document(body, type)
    expect(read.is === 'read' ? read.text : undefined).toBe(text)
  })

  it.each([
    ['a picture', 'x', 'image/png', 'not text'],
    ['a document of a program', 'PK', 'application/vnd.ms-excel', 'not text'],
    ['a drawing', '<svg/>', 'image/svg+xml', 'not text'],
    ['broken XML', '<a><b></a>', 'text/xml', 'its XML is broken'],
    ['nothing that is named, with a zero in it', 'a\0b', '', 'not text'],
    ['UTF-7', 'x', 'text/html; charset=utf-7', 'its charset is not known'],
    ['a charset of which nobody heard', 'x', 'text/plain; charset=nope', 'its charset is not known'],
    ['a meta that names UTF-7', '<meta charset=utf-7>x', 'text/html', 'its charset is not known'],
    ['an empty page', '<p> </p>', 'text/html', 'the page has no text'],
  ])('is refused if it is %s', (_, body, type, reason) => {
    expect(document(body, type)).toEqual({ is: 'unread', reason })
  })

  it('is unchanged if it is plain text or markdown, and has its own title', () => {
    expect(document('# A *b*\n\n<i>c</i>', 'text/markdown')).toMatchObject({
      is: 'read',
      title: 'A b',
      text: '# A *b*\n\n<i>c</i>',
    })
    expect(document('---\ntitle: "Named"\n---\nx', 'text/markdown')).toMatchObject({
      title: 'Named',
      text: '\\---\ntitle: "Named"\n\\---\nx',
    })
    expect(document('a <b> c', 'text/plain')).toMatchObject({ is: 'read', title: '', text: 'a <b> c' })
    expect(document('<!doctype html><p>x', '')).toMatchObject({ text: 'x' })
  })

  it('says that it was truncated, by us or on the way, and fits the limit with that note', () => {
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

describe('fetched data', () => {
  const textOf = (body: string, type: string, more: Partial<DocumentTask> = {}) => {
    const read = document(body, type, more)
    if (read.is === 'unread') throw new Error(read.reason)
    return read
  }

  it.each(['application/json', 'application/ld+json; charset=utf-8', 'text/json'])('is read as JSON: %s', (type) => {
    expect(textOf('{"name":"Tides","heights":[1,2]}', type)).toMatchObject({
      title: 'Tides',
      text: '```json\n{\n "name": "Tides",\n "heights": [\n  1,\n  2\n ]\n}\n```',
    })
  })

  it('keeps every digit, every name and their order', () => {
    const json =
      '{"id":12345678901234567890,"price":1.10,"most":1e400,"least":-0,"2":true,"1":null,"a":"\\u00e9\\"\\\\","a":[],"b":{}}'
    expect(textOf(json, 'application/json').text).toBe(
      '```json\n{\n "id": 12345678901234567890,\n "price": 1.10,\n "most": 1e400,\n "least": -0,\n "2": true,\n "1": null,\n "a": "é\\"\\\\",\n "a": [],\n "b": {}\n}\n```',
    )
  })

  it('agrees with JSON.stringify for all values that it can represent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), fc.constantFrom(0, 3), (value, spaces) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        const { text } = jsonToText(JSON.stringify(plain, null, spaces), 1_000_000)
        expect(text).toBe(toCodeBlock(JSON.stringify(plain, null, 1), 'json'))
      }),
      { numRuns: figure(300, 20_000), ...seed },
    )
  })

  it('is unchanged if it is not JSON, or nested too deeply', () => {
    expect(textOf('{"a":1}\n{"a":2}', 'application/json').text).toBe('```json\n{"a":1}\n{"a":2}\n```')
    expect(textOf('['.repeat(100_000) + ']'.repeat(100_000), 'application/json').text).toMatch(/^```json\n\[/)
  })

  it('is read as XML, including feeds, whatever their text contains', () => {
    const feed = `<?xml version="1.0"?><!DOCTYPE rss><rss version="2.0"><channel><title>Tides &amp; moons</title>
      <item><title>One</title><description><![CDATA[<p>The sea <b>rises</b>.</p>]]></description></item></channel></rss>`
    expect(textOf(feed, 'application/rss+xml')).toMatchObject({
      title: 'Tides & moons',
      text: [
        '- rss version="2.0"',
        '  - channel',
        '    - title: Tides & moons',
        '    - item',
        '      - title: One',
        '      - description: The sea **rises**.',
      ].join('\n'),
    })
    const latin1 = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>caf\xe9</a>', 'latin1')
    expect(document(latin1, 'application/xml')).toMatchObject({ text: '- a: café' })
  })

  it('is read as far as it goes if XML was truncated or is nested too deeply', () => {
    expect(textOf('<a><b>one</b><c>tw', 'text/xml', { isCut: true }).text).toContain('- b: one')
    expect(textOf('<a>'.repeat(10_000), 'text/xml').text).toContain('[cut here')
  })

  it('has no custom XML entities, so that none can expand', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'
    expect(document(bomb, 'text/xml')).toEqual({ is: 'unread', reason: 'its XML is broken' })
  })

  it.each([
    ['commas', 'a,b\r\n1,"x, ""y"" z"\r\n', 'text/csv'],
    ['semicolons', 'a;b\n1;"x, ""y"" z"', 'text/csv; header=present'],
    ['tabs', 'a\tb\n1\t"x, ""y"" z"\n', 'text/tab-separated-values'],
  ])('is read as a table with %s as separator', (_, body, type) => {
    expect(textOf(body, type).text).toBe('| a | b |\n| --- | --- |\n| 1 | x, "y" z |')
  })

  it.each([
    ['tabs that its media type demands', 'Name, first, last\tCity, country\nAda\tLondon', 'text/tab-separated-values'],
    ['semicolons beside quoted commas', '"Name, first, ""last""";City\nAda;London', 'text/csv'],
    ['semicolons beside a quoted line break', '"Name,\nfirst, last";City\nAda;London', 'text/csv'],
    ['semicolons before quoted commas', 'Name;"City, country, continent"\nAda;London', 'text/csv'],
  ])('is divided at the %s', (_, body, type) => {
    expect(textOf(body, type).text).toMatch(/\| Ada \| London \|$/)
  })

  it('stays as it is when it has one column, whatever signs its cells have', () => {
    expect(textOf('a,b\nc,d', 'text/tab-separated-values').text).toBe('a,b\nc,d')
  })

  it('keeps line breaks and bars in cells, an empty last cell, and no partial row', () => {
    expect(textOf('a,b\n"1\n2|3",\n4,5\n6,7\n8', 'text/csv', { isCut: true }).text).toBe(
      '| a | b |\n| --- | --- |\n| 1 2\\|3 |  |\n| 4 | 5 |\n[cut here: the page is longer]',
    )
  })

  it('states its type, its size in bytes, and its approximate number of tokens', () => {
    expect(textOf('{"a": 1}', 'Application/JSON; charset=UTF-8')).toMatchObject({ type: 'application/json', bytes: 8 })
    const words = 'The sea rises twice a day, and the moon is why. '.repeat(10)
    expect(textOf(words, 'text/plain').tokens / countTokens(words)).toBeCloseTo(1, 0)
  })
})

describe('an empty shell of a page', () => {
  const shell = { is: 'unread', reason: 'an empty shell: scripts fill it in, and none is run here' }
  it.each([
    ['without a word', '<div id=root></div><script src=/app.js></script>'],
    ['that asks for scripts', '<noscript>x</noscript><p>Please enable JavaScript.</p><script src=/a.js></script>'],
    ['with a loading line', '<p>Loading the shop</p><div id="app"></div><script type=module src=/a.js></script>'],
  ])('%s is reported', (_, html) => {
    expect(document(html, 'text/html')).toEqual(shell)
  })

  it.each([
    ['has words beside its scripts', '<main><p>Enough to read here.</p></main><script>x</script>'],
    ['is about scripts', `<p>${'How JavaScript came to be. '.repeat(30)}</p><script>x</script>`],
    ['has no scripts at all', '<p>It needs no JavaScript.</p>'],
  ])('is not reported if it %s', (_, html) => {
    expect(document(html, 'text/html')).toMatchObject({ is: 'read' })
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
  type: fc.constantFrom('text/html', 'text/plain', 'text/markdown', 'application/json', 'text/csv', 'text/xml'),
  fill: fc.nat(1100),
})

describe('a bundle of pages that forge separators', () => {
  it('has one section per page, in order, each as long as allowed', () => {
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
      { numRuns: figure(10_000, 50_000), ...seed },
    )
  })

  it('truncates without creating a separator', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.constantFrom('-', '- ', '-\n', '---\n', '--- '), (lead, unit) => {
        const text = cutText(`${'x'.repeat(lead)}\n${unit.repeat(80)}`, 100)
        return codePoints(text) <= 100 && !text.split('\n').includes('---')
      }),
    )
  })
})
