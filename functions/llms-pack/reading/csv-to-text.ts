import { toTable } from '../../../src/core/markdown.ts'

/** More columns than this are unreadable as a markdown table. */
const mostColumns = 60
const separators = [',', ';', '\t'] as const

/**
 * The separator that divides the first line into the most cells; the comma when there is a tie. Those in quotation marks
 * separate nothing.
 */
const findSeparator = (text: string): string => {
  const [line = ''] = text.replace(/(?<=^|[,;\t])(?:"[^"]*")+/g, '').split('\n', 1)
  const parts = (sign: string): number => line.split(sign).length
  return separators.reduce((best, sign) => (parts(sign) > parts(best) ? sign : best))
}

/**
 * The cells of CSV (RFC 4180), with the separators of spreadsheets, too. An unclosed quotation mark ends with the text.
 */
function readRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      let end = text.indexOf('"', at + 1)
      while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
      cell = text.slice(at + 1, end < 0 ? undefined : end).replaceAll('""', '"')
      at = end < 0 ? text.length : end + 1
    }
    const start = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1
    row.push(cell + text.slice(start, at).replace(/\r$/, ''))
    if (text[at] !== separator) {
      rows.push(row)
      row = []
    } else if (at + 1 === text.length) row.push('')
    at += 1
  }
  return row.length > 0 ? [...rows, row] : rows
}

interface Options {
  /** Whether the last row may be incomplete, and is left out. */
  readonly isCut: boolean
  /** Whether tabs separate the cells, by the media type. Otherwise the first line decides. */
  readonly hasTabs: boolean
}

/** CSV as a markdown table whose head is the first row; unchanged when it has one column or too many. */
export function csvToText(csv: string, { isCut, hasTabs }: Options): string {
  const text = csv.replace(/^\ufeff/, '').trimEnd()
  const [head = [], ...rows] = readRows(text, hasTabs ? '\t' : findSeparator(text)).slice(0, isCut ? -1 : undefined)
  return head.length < 2 || head.length > mostColumns ? text : toTable(head, rows)
}
