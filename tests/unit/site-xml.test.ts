import { describe, expect, it } from 'vitest'
import { readXml } from '../../functions/session-status/read/read-xml.ts'
import { readXml as readByLibxml } from '../support/read-xml.ts'

const wellFormed: readonly (readonly [what: string, xml: string])[] = [
  ['an attribute with >', '<rss a="x > y"><channel/></rss>'],
  ['a document type with a subset', '<!DOCTYPE rss [<!ENTITY a "b"> <!-- > --> <!ELEMENT rss ANY>]><rss/>'],
  ['a document type with an address', '<!DOCTYPE rss PUBLIC "-//x//y" "http://x.example/rss.dtd?a>b"><rss></rss>'],
  ['a byte order mark', '\uFEFF<?xml version="1.0"?><rss/>'],
  ['the five entities and numbers', '<rss a="&quot;&#38;">&amp;&lt;&gt;&apos;&#233;&#x1F600;</rss>'],
  ['CDATA with markup', '<rss><![CDATA[a & b <c> ]] >]]></rss>'],
  ['comments and instructions around the root', '<?xml version="1.0"?><!--a--><?b c?><rss/><!--d--><?e?>\n'],
  ['letters of other scripts', '<фид é="ü"><項目/></фид>'],
]

const malformed: readonly (readonly [what: string, xml: string, why: string])[] = [
  ['the same attribute twice', '<rss a="1" a="2"/>', 'duplicate attribute: a (line 1,'],
  ['an attribute without quotes', '<rss a=1/>', 'unquoted attribute value (line 1,'],
  ['an attribute without a value', '<rss a></rss>', 'attribute without value (line 1,'],
  ['attributes without a space between', '<rss a="1"b="2"/>', 'no whitespace between attributes (line 1,'],
  ['< in an attribute', '<rss a="<"/>', 'disallowed character (line 1,'],
  [']]> in text', '<rss>]]></rss>', 'the string "]]>" is disallowed in char data (line 1,'],
  ['two hyphens in a comment', '<rss><!-- a -- b --></rss>', 'malformed comment (line 1,'],
  [
    'a declaration after the start',
    '\n<?xml version="1.0"?><rss/>',
    'an XML declaration must be at the start of the document (line 2,',
  ],
  ['a control character', '<rss>\u0001</rss>', 'disallowed character (line 1,'],
  ['a number that is no character', '<rss>&#0;</rss>', 'malformed character entity (line 1,'],
  ['an entity of HTML', '<rss>\n&nbsp;</rss>', '&nbsp; is no entity of XML (line 2,'],
  ['an ampersand that is not escaped', '<rss>\n\na & b</rss>', 'an & is not escaped (line 3,'],
  ['another end tag', '<rss>\n<a>\n</b></rss>', '</b> stands where <a> is open (line 3,'],
  ['an end tag too many', '<rss/></rss>', '</rss> closes what is not open (line 1,'],
  ['an open element', '<rss><channel>', '<channel> is not closed'],
  ['an open tag', '<rss><channel', '<rss> is not closed'],
  ['an open comment', '<rss/><!-- ', 'unexpected end (line 1,'],
  ['two roots', '<rss/><rss/>', 'documents may contain only one root (line 1,'],
  ['text after the root', '<rss/>x', 'text data outside of root node (line 1,'],
  ['nothing', ' ', 'there is no element'],
]

describe('an XML document of a site', () => {
  it.each(wellFormed)('is well-formed with %s, as libxml2 says too', async (_, xml) => {
    expect(readXml(xml, false)).toMatchObject({ is: 'read' })
    await expect(readByLibxml(xml)).resolves.toBeDefined()
  })

  it.each(malformed)('is rejected with %s, as by libxml2', async (_, xml, why) => {
    expect(readXml(xml, false)).toEqual({ is: 'broken', why: expect.stringContaining(why) })
    await expect(readByLibxml(xml)).rejects.toThrow()
  })

  it('is read as elements in the order in which they end, with their direct text', () => {
    const xml = '<a:rss><item n="1"> x<b/>&amp;<![CDATA[<y>]]> </item>\n<c k=\'"&#65;\'/></a:rss>'
    expect(readXml(xml, false)).toEqual({
      is: 'read',
      root: 'a:rss',
      attributes: {},
      elements: [
        { path: 'a:rss/item/b', text: '', attributes: {} },
        { path: 'a:rss/item', text: 'x&<y>', attributes: { n: '1' } },
        { path: 'a:rss/c', text: '', attributes: { k: '"A' } },
        { path: 'a:rss', text: '', attributes: {} },
      ],
    })
  })

  it.each([
    '<rss><item/><item><ti',
    '<rss><item/><!-- a',
    '<rss><item/>&am',
    '<rss><item/><![CDATA[',
    '<rss><item/>\r',
  ])('that was truncated is read as far as it goes: %s', (xml) => {
    expect(readXml(xml, true)).toMatchObject({ is: 'read', elements: [{ path: 'rss/item' }] })
    expect(readXml(xml, false)).toMatchObject({ is: 'broken' })
  })

  it('that was truncated before its root begins is rejected', () => {
    expect(readXml('<!-- a', true)).toEqual({ is: 'broken', why: 'there is no element' })
  })

  it('never has custom entities expanded', () => {
    const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
    const xml = `<!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}]><rss>&l30;</rss>`
    expect(readXml(xml, false)).toEqual({
      is: 'broken',
      why: expect.stringContaining('&l30; is no entity of XML (line 1,'),
    })
  })

  it('is given up if it is deeper, or has more attributes, than any feed or sitemap', () => {
    expect(readXml('<a>'.repeat(700_000), false)).toEqual({ is: 'broken', why: 'it is nested too deep' })
    const attributes = Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(' ')
    expect(readXml(`<rss ${attributes}/>`, false)).toEqual({ is: 'broken', why: 'an element has too many attributes' })
  })

  it('of great size is read up to twenty thousand elements or a million characters', () => {
    const items = readXml(`<rss>${'<item/>'.repeat(50_000)}</rss>`, false)
    expect(items).toMatchObject({ is: 'read', root: 'rss' })
    expect(items.is === 'read' && items.elements.length).toBe(20_000)
    expect(readXml(`<rss>${'x'.repeat(2_000_000)}</wrong>`, false)).toMatchObject({ is: 'read', elements: [] })
  })

  it('is quoted in printable characters', () => {
    expect(readXml('<rss>&\u202e\n;</rss>', false)).toMatchObject({ why: expect.not.stringMatching(/[\p{Cc}\p{Cf}]/u) })
  })
})
