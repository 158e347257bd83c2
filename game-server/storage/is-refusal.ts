/** SQLITE_TOOBIG, SQLITE_CONSTRAINT and SQLITE_MISMATCH; what more is known of them is in the higher bits. */
const codes = [18, 19, 20]
/** Classes of PostgreSQL: data that is none, constraints, limits. */
const classes = ['22', '23', '54']

/** Whether a database refused what was to be written, rather than failed: anything else may be written meanwhile. */
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
