import type { MovedTable } from '../storage/move/copy-tables.ts'

type Say = (line: string) => void

/** Prints a table whose columns are as wide as their widest cell. */
export function sayTable(rows: readonly (readonly string[])[], say: Say): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of rows)
    say(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Prints, for each moved table, the rows, sums and SHA-256 that are equal on both sides. */
export function sayMoved(tables: readonly MovedTable[], say: Say): void {
  say('the same on both sides: rows, sums and SHA-256 of')
  for (const { name, rows, sums, sha256 } of tables)
    if (rows > 0)
      say([name, String(rows), ...Object.entries(sums).map(([column, sum]) => `${column} ${sum}`), sha256].join('  '))
}
