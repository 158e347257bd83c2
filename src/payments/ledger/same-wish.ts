import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { LedgerSchema } from '../../storage/ledger-schema.ts'

interface Wished {
  readonly fingerprint: Expression<string>
  /** Hash of the input as sent; never null here, even where it equals `fingerprint`. */
  readonly sent: Expression<string>
}

/** The condition of one part of a search for payments. */
export type Part = (payment: ExpressionBuilder<LedgerSchema, 'payment'>) => Expression<SqlBool>

/**
 * The payments for the same request, as `buysSame` decides for one payment: those with the same validated input, those
 * with the same input as sent, and those whose input as sent was also the validated one when it was paid for. These are
 * three queries without overlap, because each has an index of its own; for one query with `or`, a database may scan all
 * sales.
 */
export const sameWish = ({ fingerprint, sent }: Wished): readonly [Part, Part, Part] => [
  ({ eb }) => eb('fingerprint', '=', fingerprint),
  ({ and, eb }) => and([eb('sent', '=', sent), eb('fingerprint', '!=', fingerprint)]),
  ({ and, eb }) => and([eb('fingerprint', '=', sent), eb('fingerprint', '!=', fingerprint), eb('sent', 'is', null)]),
]
