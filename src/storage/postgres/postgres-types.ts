import pg from 'pg'

const { builtins } = pg.types

/** Whole numbers as JavaScript numbers, as SQLite gives them: one that would lose its last digits is refused. */
function toNumber(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`the database holds ${text}, which is no safe whole number`)
  return number
}

/** How values of PostgreSQL are read. `numeric` is what it makes of sums of whole numbers. */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && (type === builtins.INT8 || type === builtins.NUMERIC)) return toNumber
    return pg.types.getTypeParser(type, format)
  },
}
