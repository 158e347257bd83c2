/** SQLITE_CORRUPT and SQLITE_NOTADB; extended result codes add higher bits to these. */
const codes = [11, 26]

/** Whether an error of SQLite says that a file is damaged, or never was a database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  codes.includes(error.errcode & 0xff)
