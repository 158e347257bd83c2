import { toCell } from '../../../src/core/markdown.ts'
import { type InlineOptions, inlineToMarkdown } from './inline-to-markdown.ts'
import type { Block, Cell, Table } from './page.ts'

const mostColumns = 50
const longestCell = 300

/** Whether a table holds data, judged by its shape and cells; otherwise it only lays out the page. */
export function isData(table: Table, blocks: readonly Block[]): boolean {
  if (table.isLayout || table.columns < 2 || blocks.some(({ is }) => is === 'rule')) return false
  if (table.hasHead) return true
  if (table.rows < 2) return false
  const inCells = new Map<number | undefined, number>()
  for (const { cell, size } of blocks) inCells.set(cell?.place, (inCells.get(cell?.place) ?? 0) + size)
  return [...inCells.values()].every((size) => size <= longestCell) && blocks.every(({ is }) => is === 'paragraph')
}

interface Filled {
  readonly cell: Cell
  readonly texts: string[]
}

/** A markdown table. Its first row is the head if all its cells are `th`; otherwise the head is empty. */
export function tableToMarkdown(blocks: readonly Block[], options: InlineOptions): string {
  const rows: string[][] = []
  const heads: boolean[] = []
  /** For each column, how many more rows a cell from above still covers (rowspan). */
  let reaching: number[] = []
  let row = -1
  for (const { cell, texts } of toCells(blocks, options)) {
    if (rows.length * mostColumns > options.enough) break
    if (cell.row !== row || rows.length === 0) {
      row = cell.row
      rows.push([])
      heads.push(true)
      reaching = reaching.map((left) => left - 1)
    }
    const line = rows.at(-1) ?? []
    while ((reaching[line.length] ?? 0) > 0 && line.length < mostColumns) line.push('')
    for (let span = 0; span < cell.columns && line.length < mostColumns; span++) {
      reaching[line.length] = cell.rows
      line.push(span === 0 ? texts.join('; ') : '')
    }
    if (!cell.isHead) heads[heads.length - 1] = false
  }
  const columns = rows.reduce((most, line) => Math.max(most, line.length), 0)
  const head = heads[0] ? (rows.shift() ?? []) : []
  const toLine = (line: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, at) => line[at] ?? '').join(' | ')} |`
  return [toLine(head), toLine(Array.from({ length: columns }, () => '---')), ...rows.map(toLine)].join('\n')
}

function toCells(blocks: readonly Block[], options: InlineOptions): Filled[] {
  const cells: Filled[] = []
  let length = 0
  for (const { cell, is, pieces, marker } of blocks) {
    if (!cell || cell.column >= mostColumns) continue
    if (length >= options.enough) break
    const code = is === 'code' ? pieces.map((piece) => ({ is: 'code', text: String(piece) }) as const) : pieces
    const text = toCell(inlineToMarkdown(code, options).replace(/\n/g, ' '))
    length += text.length + 3
    const last = cells.at(-1)
    if (last?.cell.place !== cell.place) cells.push({ cell, texts: [text] })
    else if (marker === '' && last.texts.length > 0) last.texts.push(`${last.texts.pop()} ${text}`)
    else last.texts.push(text)
  }
  return cells
}
