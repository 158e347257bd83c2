/** A cell that a spreadsheet would take for a formula is marked as text; a whole number is none. */
function toCell(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) && !/^-?\d+$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of CSV (RFC 4180). */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`
