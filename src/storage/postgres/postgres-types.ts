import pg from 'pg'

const { builtins } = pg.types

/** Whole numbers as JavaScript numbers, as SQLite gives them. Throws RangeError for one that is no safe integer. */
function toNumber(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`the database holds ${text}, which is no safe whole number`)
  return number
}

/** How values of PostgreSQL are read. Its sums of `bigint` columns are of the type `numeric`. */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser(type: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && (type === builtins.INT8 || type === builtins.NUMERIC)) return toNumber
    return pg.types.getTypeParser(type, format)
  },
}
