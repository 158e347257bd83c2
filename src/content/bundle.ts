/** One page of a bundle. */
export interface Section {
  /** An empty title is replaced by the address. */
  readonly title: string
  /** The address exactly as it was requested. */
  readonly url: string
  readonly body: string
}

const separator = '---'
// biome-ignore lint/suspicious/noControlCharactersInRegex: some readers take these separators for the end of a line
const lineBreak = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g

/**
 * Text in which no line is a separator: a line of exactly three hyphens gets a backslash, and every character that some
 * parser takes for a line break becomes a line feed. It is idempotent.
 */
export const guardSeparators = (text: string): string =>
  text.replace(lineBreak, '\n').replace(/^---$/gm, `\\${separator}`)

const toTitle = ({ title, url }: Section): string =>
  guardSeparators(title.replace(lineBreak, ' ').replace(/\s+/g, ' ').trim() || url)

const toBody = ({ body }: Section): string =>
  guardSeparators(body.replace(lineBreak, '\n').replace(/^(?:[^\S\n]*\n)+|\s+$/g, ''))

function toText(section: Section): string {
  const body = toBody(section)
  return `${toTitle(section)}\n${section.url}${body && `\n${body}`}`
}

/**
 * Pages as one text: title, address, words; a line of three hyphens between pages and nowhere else, so that there is
 * exactly one section per page whatever the pages contain (spec: Packer response).
 */
export const toBundle = (sections: readonly Section[]): string => sections.map(toText).join(`\n${separator}\n`)
