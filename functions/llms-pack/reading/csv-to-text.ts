import { toTable } from '../../../src/core/markdown.ts'

/** More columns are a matrix, which nobody reads as a table. */
const mostColumns = 60
const separators = [',', ';', '\t'] as const

/** Whichever separates most of the first line; a tab where there is one. */
const findSeparator = (text: string): string => {
  const [line = ''] = text.split('\n', 1)
  const parts = (sign: string): number => line.split(sign).length
  return separators.reduce((best, sign) => (parts(sign) > parts(best) ? sign : best))
}

/** The cells of CSV (RFC 4180) and of what spreadsheets make of it; a quotation mark that is never closed closes at the end. */
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

/**
 * Separated values as a table of markdown, whose first row is its head; as they were sent where they make none.
 *
 * @param isCut whether the last row may be half a row
 */
export function csvToText(csv: string, isCut: boolean): string {
  const text = csv.replace(/^\ufeff/, '').trimEnd()
  const [head = [], ...rows] = readRows(text, findSeparator(text)).slice(0, isCut ? -1 : undefined)
  return head.length < 2 || head.length > mostColumns ? text : toTable(head, rows)
}
