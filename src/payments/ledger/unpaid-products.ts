import type { Transaction } from 'kysely'
import type { LedgerSchema } from '../../storage/ledger-schema.ts'

interface Bounds {
  readonly count: number
  readonly bytes: number
}

const megabyte = 1024 * 1024
/** What may wait unpaid for one address, and for all. One wallet has one product waiting, the newest. */
const perCaller: Bounds = { count: 4, bytes: 16 * megabyte }
const inAll: Bounds = { count: 400, bytes: 256 * megabyte }

/**
 * Makes room for one more product that nobody has paid for: an older one of the same wallet goes, and so do those
 * whose authorization has run out.
 *
 * @param key of the payment whose product is to wait
 * @returns false when so much waits already, for the same address or in all, that this one must not
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
  await tx
    .deleteFrom('payment')
    .where('state', '=', 'ready')
    .where('key', '!=', key)
    .where('lease_until', '<=', nowMs)
    .where((where) => where.or([where('payer', '=', payer), where('valid_before', '<', Math.floor(nowMs / 1000))]))
    .execute()
  const waiting = tx
    .selectFrom('payment')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('body_bytes').as('bytes')])
    .where('state', '=', 'ready')
    .where('key', '!=', key)
  const fits = async (query: typeof waiting, bounds: Bounds): Promise<boolean> => {
    const { count, bytes: kept } = await query.executeTakeFirstOrThrow()
    return Number(count) < bounds.count && Number(kept ?? 0) + bytes <= bounds.bytes
  }
  if (caller !== null && !(await fits(waiting.where('caller', '=', caller), perCaller))) return false
  return fits(waiting, inAll)
}
