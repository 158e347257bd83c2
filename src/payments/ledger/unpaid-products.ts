import type { ExpressionBuilder, Transaction } from 'kysely'
import type { LedgerSchema } from '../../storage/ledger-schema.ts'

interface Bounds {
  readonly count: number
  readonly bytes: number
}

const megabyte = 1024 * 1024
/** How much may wait unpaid for one address, and for all together. Of each wallet only the newest product waits. */
const perCaller: Bounds = { count: 4, bytes: 16 * megabyte }
const inAll: Bounds = { count: 400, bytes: 256 * megabyte }

/**
 * Makes room for one more unpaid product: deletes an older one of the same wallet, and all whose authorization has
 * expired.
 *
 * @param key of the payment whose product is to wait
 * @returns false when too much else waits, for the same address or in all, for this one to wait as well; then nothing
 *   is deleted
 */
export async function makeRoomForUnpaid(
  tx: Transaction<LedgerSchema>,
  key: string,
  bytes: number,
  nowMs: number,
): Promise<boolean> {
  const { payer, caller } = await tx
    .selectFrom('payment')
    .select(['payer', 'caller'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const isReplaced = (where: ExpressionBuilder<LedgerSchema, 'payment'>) =>
    where.and([
      where('lease_until', '<=', nowMs),
      where.or([where('payer', '=', payer), where('valid_before', '<', Math.floor(nowMs / 1000))]),
    ])
  const waiting = tx
    .selectFrom('payment')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('body_bytes').as('bytes')])
    .where('state', '=', 'ready')
    .where('key', '!=', key)
    .where((where) => where.not(isReplaced(where)))
  const fits = async (query: typeof waiting, bounds: Bounds): Promise<boolean> => {
    const { count, bytes: kept } = await query.executeTakeFirstOrThrow()
    return Number(count) < bounds.count && Number(kept ?? 0) + bytes <= bounds.bytes
  }
  if (caller !== null && !(await fits(waiting.where('caller', '=', caller), perCaller))) return false
  if (!(await fits(waiting, inAll))) return false
  await tx.deleteFrom('payment').where('state', '=', 'ready').where('key', '!=', key).where(isReplaced).execute()
  return true
}
