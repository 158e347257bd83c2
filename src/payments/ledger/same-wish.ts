import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { LedgerSchema } from '../../storage/ledger-schema.ts'

interface Wished {
  readonly fingerprint: Expression<string>
  /** Even where that is the same. */
  readonly sent: Expression<string>
}

/** Of which payments a part of a search is. */
export type Part = (payment: ExpressionBuilder<LedgerSchema, 'payment'>) => Expression<SqlBool>

/**
 * Payments for the same, as `buysSame` says of one: by the validated input, in the same words, and in words that were the
 * validated input when they were paid for. Each is searched for by itself, because each has its index, and no payment is
 * in two of them; asked for all at once, a database may look through every sale that there is.
 */
export const sameWish = ({ fingerprint, sent }: Wished): readonly [Part, Part, Part] => [
  ({ eb }) => eb('fingerprint', '=', fingerprint),
  ({ and, eb }) => and([eb('sent', '=', sent), eb('fingerprint', '!=', fingerprint)]),
  ({ and, eb }) => and([eb('fingerprint', '=', sent), eb('fingerprint', '!=', fingerprint), eb('sent', 'is', null)]),
]
