import type { Bought } from './library-schema.ts'

/** New ones come last: spreadsheets of before go by the place. */
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

/** A field as RFC 4180 writes it; one that a spreadsheet would take for a formula is text. */
const toField = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Dollars with all six decimals, by shifting the point. */
const toUsd = (micros: string): string => `${micros.slice(0, -6) || '0'}.${micros.padStart(6, '0').slice(-6)}`

/** The purchases of a wallet for its accounts: CSV with a header (RFC 4180). */
export const toLibraryCsv = (purchases: readonly Bought[]): string =>
  [
    columns,
    ...purchases.map((bought) =>
      columns.map((name) => (name === 'amountUsd' ? toUsd(bought.amountMicroUsd) : (bought[name] ?? ''))),
    ),
  ]
    .map((fields) => `${fields.map(toField).join(',')}\r\n`)
    .join('')
