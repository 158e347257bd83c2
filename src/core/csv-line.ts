/**
 * One escaped cell. A text that a spreadsheet would take for a formula gets an apostrophe in front; negative whole
 * numbers do not need it.
 */
function toCell(value: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(value) && !/^-?\d+$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of CSV (RFC 4180). */
export const toCsvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`
