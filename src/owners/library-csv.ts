import type { Bought } from './library-schema.ts'

/** New columns are added at the end, because existing spreadsheets refer to columns by position. */
const columns = [
  'boughtAt',
  'product',
  'version',
  'path',
  'amountUsd',
  'receipt',
  'transaction',
  'reversedAt',
  'asset',
  'amountUnits',
] as const

/** A quoted field (RFC 4180). Text that spreadsheets could take for a formula is prefixed with an apostrophe. */
const toField = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Micro-USD as dollars with six decimals. */
const toUsd = (micros: string): string => `${micros.slice(0, -6) || '0'}.${micros.padStart(6, '0').slice(-6)}`

/** The purchases of a wallet as CSV with a header row (RFC 4180), for accounting. */
export const toLibraryCsv = (purchases: readonly Bought[]): string =>
  [
    columns,
    ...purchases.map((bought) =>
      columns.map((name) => (name === 'amountUsd' ? toUsd(bought.amountMicroUsd) : (bought[name] ?? ''))),
    ),
  ]
    .map((fields) => `${fields.map(toField).join(',')}\r\n`)
    .join('')
