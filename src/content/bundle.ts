/** One page of a bundle. */
export interface Section {
  /** The address stands in for a title that is missing. */
  readonly title: string
  /** Exactly as it was asked for. */
  readonly url: string
  readonly body: string
}

const separator = '---'
// biome-ignore lint/suspicious/noControlCharactersInRegex: some readers take these separators for the end of a line
const lineBreak = /\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g

/**
 * Text in which no line is a separator: a line of exactly three hyphens gets a backslash, and whatever some reader
 * takes for the end of a line becomes one. Doing it twice changes nothing more.
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
