import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type Expression,
  type Kysely,
  type QueryResult,
  sql,
} from 'kysely'

/** Placeholders for the values of a statement, each an expression of the value's type. */
export type Places<Given extends object> = { readonly [Name in keyof Given]: Expression<Given[Name]> }

/** A symbol stands for a value that is given later: no statement can hold one as a value, and it has a name. */
const toPlaces = <Given extends object>(): Places<Given> =>
  new Proxy(Object.create(null), { get: (_, name) => sql`${Symbol(String(name))}` })

/**
 * A statement that is compiled to SQL once for each database and not at each execution, because compiling can take
 * longer than SQLite itself. It may be executed within a transaction.
 *
 * @example
 * const find = prepare((db: LedgerDatabase, { key }: Places<{ key: string }>) =>
 *   db.selectFrom('payment').selectAll().where('key', '=', key))
 * const { rows: [row] } = await find(tx, { key })
 */
export function prepare<Schema, Given extends object, Row>(
  write: (db: Kysely<Schema>, places: Places<Given>) => Compilable<Row>,
): (db: Kysely<Schema>, given: Given) => Promise<QueryResult<Row>> {
  const written = new WeakMap<DialectAdapter, CompiledQuery<Row>>()

  const find = (db: Kysely<Schema>): CompiledQuery<Row> => {
    const { adapter } = db.getExecutor()
    const known = written.get(adapter)
    if (known) return known
    const fresh = write(db, toPlaces()).compile()
    written.set(adapter, fresh)
    return fresh
  }

  return (db, given) => {
    const statement = find(db)
    const parameters = statement.parameters.map((value) =>
      typeof value === 'symbol' ? Reflect.get(given, value.description ?? '') : value,
    )
    return db.executeQuery({ ...statement, parameters })
  }
}
