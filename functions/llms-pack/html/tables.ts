import type { BlockWriter } from './block-writer.ts'
import type { Cell, Table } from './page.ts'
import type { Attributes } from './read-tokens.ts'

/** More columns or rows than a cell of a real table spans. */
const widest = 50

const spanOf = (text: string | undefined): number => {
  const span = text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : 1
  return Math.min(Math.max(span, 1), widest)
}

/** Tracks the tables that are open, and tells the writer which cell it writes into. */
export function makeTables(writer: BlockWriter) {
  const all: Table[] = []
  const open: { table: number; row: number; column: number; outer: Cell | undefined }[] = []
  let places = 0

  return {
    all,

    openTable({ role }: Attributes): void {
      const outer = writer.cell()
      const holder = outer && all[outer.table]
      // A table inside a cell means that the outer table lays out the page.
      if (holder) holder.isLayout = true
      open.push({ table: all.length, row: -1, column: 0, outer })
      const isLayout = role === 'presentation' || role === 'none'
      all.push({ isLayout, hasHead: false, columns: 0, rows: 0 })
      writer.enterCell(undefined)
    },

    closeTable(): void {
      writer.enterCell(open.pop()?.outer)
    },

    openRow(): void {
      const current = open.at(-1)
      const table = current && all[current.table]
      if (!table) return
      current.row += 1
      current.column = 0
      table.rows = current.row + 1
    },

    openCell(name: 'td' | 'th', { colspan, rowspan }: Attributes): void {
      const current = open.at(-1)
      const table = current && all[current.table]
      if (!table) return
      const isHead = name === 'th'
      const columns = spanOf(colspan)
      current.row = Math.max(current.row, 0)
      const { row, column } = current
      current.column += columns
      table.columns = Math.max(table.columns, current.column)
      table.hasHead ||= isHead
      places += 1
      writer.enterCell({
        table: current.table,
        row,
        column,
        isHead,
        columns,
        rows: spanOf(rowspan),
        place: places,
      })
    },

    closeCell(): void {
      writer.enterCell(undefined)
    },
  }
}

/** See makeTables. */
export type Tables = ReturnType<typeof makeTables>
