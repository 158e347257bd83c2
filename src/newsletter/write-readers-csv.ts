import { toCsvLine } from '../core/csv-line.ts'
import type { Reader } from './readers.ts'

/** The confirmed readers as CSV, for the operator and for other newsletter programs. */
export const toReadersCsv = (readers: readonly Reader[]): string =>
  [
    ['email', 'confirmed_utc'],
    ...readers.map(({ email, confirmed_at }) => [email, new Date(confirmed_at ?? 0).toISOString()]),
  ]
    .map(toCsvLine)
    .join('')
