/** Characters that XML 1.0 does not allow even escaped, and noncharacters, of which two are used as marks below. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones removed
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufdd0-\ufdef\ufffe\uffff]/g

const sectionEnd = '\ufdd0'
const lessThan = '\ufdd1'

/** Makes text writable as XML: lone surrogates become U+FFFD, and line ends are normalized as an XML parser does. */
export const toXmlText = (text: string): string => text.toWellFormed().replace(unwritable, '').replace(/\r\n?/g, '\n')

/** For a field that the `feed` package writes as CDATA: a `]]>` in the text would end the section. */
export const inCdata = (text: string): string => toXmlText(text).replaceAll(']]>', sectionEnd)

/** For a field that the package writes as element text: it takes `&amp;` in the text for an escape already. */
export const inText = (text: string): string => toXmlText(text).replaceAll('&', '&amp;')

/**
 * For a field that the package writes as an attribute: it leaves `<` unescaped, and parsers read line ends as spaces.
 */
export const inAttribute = (text: string): string =>
  toXmlText(text)
    .replace(/[\t\n]/g, ' ')
    .replaceAll('<', lessThan)

/** Replaces the marks in the written document by what they stand for. */
export const withoutMarks = (xml: string): string =>
  xml.replaceAll(sectionEnd, ']]]]><![CDATA[>').replaceAll(lessThan, '&lt;')
