/** The primary result codes SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH, in the lowest byte of `errcode`. */
const codes = [18, 19, 20]
/** Classes of PostgreSQL's SQLSTATE codes: data exception, constraint violation, program limit exceeded. */
const classes = ['22', '23', '54']

/** Whether a database refused these rows; other rows may still be written. False when the database itself failed. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error && typeof error.errcode === 'number') return codes.includes(error.errcode & 0xff)
  return (
    'code' in error &&
    typeof error.code === 'string' &&
    /^[0-9A-Z]{5}$/.test(error.code) &&
    classes.includes(error.code.slice(0, 2))
  )
}
