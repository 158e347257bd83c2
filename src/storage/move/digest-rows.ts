import { createHash } from 'node:crypto'
import type { Row, Table, Value } from './books.ts'

/** Facts about the content of a table, which are the same on both engines. */
export interface TableFacts {
  readonly rows: number
  /** Sums of the columns of money and credits, by column; decimal. */
  readonly sums: Readonly<Record<string, string>>
  /** SHA-256 over every value of every row, in the order of the key; hexadecimal. */
  readonly sha256: string
}

const counted = new Set(['amount', 'units', 'micros', 'credits'])

/** Encodes a value as its type, its length where it has one, and its content, so that no two rows encode alike. */
function* spell(value: Value): Generator<string | Uint8Array> {
  if (value === null) yield 'n;'
  else if (typeof value === 'bigint') yield `i${value};`
  else {
    yield `${typeof value === 'string' ? 't' : 'b'}${value.length}:`
    yield value
  }
}

const toAmount = (value: Value | undefined): bigint =>
  typeof value === 'bigint' ? value : typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : 0n

/** Computes the facts of a table from its rows, which are to be added in the order of its key. */
export function digestRows(table: Table): { add(rows: readonly Row[]): void; end(): TableFacts } {
  const hash = createHash('sha256').update(JSON.stringify([table.database, table.name, table.columns]))
  const sums = table.columns.flatMap(({ name }, at) => (counted.has(name) ? { name, at, sum: 0n } : []))
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const row of rows) {
        let text = ''
        for (const value of row)
          for (const part of spell(value))
            if (typeof part === 'string') text += part
            else {
              hash.update(text).update(part)
              text = ''
            }
        hash.update(text)
        for (const each of sums) each.sum += toAmount(row[each.at])
      }
    },
    end: () => ({
      rows: count,
      sums: Object.fromEntries(sums.map(({ name, sum }) => [name, String(sum)])),
      sha256: hash.digest('hex'),
    }),
  }
}
