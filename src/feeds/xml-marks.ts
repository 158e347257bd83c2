/** What XML 1.0 cannot hold, even escaped; and the noncharacters, of which two serve as marks below. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones removed
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufdd0-\ufdef\ufffe\uffff]/g

const sectionEnd = '\ufdd0'
const lessThan = '\ufdd1'

/** Text that can be written as XML: lone surrogates become U+FFFD, line ends are as a parser will read them. */
export const toXmlText = (text: string): string => text.toWellFormed().replace(unwritable, '').replace(/\r\n?/g, '\n')

/** For a field that the `feed` package writes as CDATA: it would end the section at the second `]]>`. */
export const inCdata = (text: string): string => toXmlText(text).replaceAll(']]>', sectionEnd)

/** For a field that it writes as an element's text: it would read `&amp;` in the text as an escaped `&`. */
export const inText = (text: string): string => toXmlText(text).replaceAll('&', '&amp;')

/** For a field that it writes as an attribute: it would leave `<` as it is; parsers make spaces of line ends. */
export const inAttribute = (text: string): string =>
  toXmlText(text)
    .replace(/[\t\n]/g, ' ')
    .replaceAll('<', lessThan)

/** The written document with what the marks stand for. */
export const withoutMarks = (xml: string): string =>
  xml.replaceAll(sectionEnd, ']]]]><![CDATA[>').replaceAll(lessThan, '&lt;')
