import { readGrants } from '../payments/ledger/grants.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/**
 * Everything that the ledger stores about one wallet, for owners who ask for it: payments and what became of them,
 * receipts, refunds, what was granted in the game (which names the player), and whether it is blocked and why. Times
 * are RFC 3339, amounts micro-USD. Products are not included, nor are values that only guard a payment (hashes, seals).
 *
 * @param wallet the address, in any case
 */
export async function readWalletData(db: LedgerDatabase, wallet: string) {
  const payer = wallet.toLowerCase()
  const rows = await db
    .selectFrom('payment')
    .leftJoin('sale', 'sale.payment_key', 'payment.key')
    .leftJoin('refund', 'refund.sale_id', 'sale.id')
    .select(['payment.path', 'payment.amount', 'payment.state', 'payment.created_at', 'payment.grants'])
    .select(['sale.id', 'sale.transaction_hash', 'sale.settled_at', 'sale.reversed_at'])
    .select(['refund.refunded_at', 'refund.amount as refunded', 'refund.note'])
    .select(['payment.asset', 'payment.units'])
    .where((row) => row.fn<string>('lower', ['payment.payer']), '=', payer)
    .orderBy('payment.created_at')
    .execute()
  const blocked = await db
    .selectFrom('block_entry')
    .select(['since', 'reason'])
    .where('kind', '=', 'wallet')
    .where('value', '=', payer)
    .executeTakeFirst()
  return {
    wallet: payer,
    ...(blocked && { blocked: { since: toText(blocked.since), reason: blocked.reason } }),
    payments: rows.map((row) => ({
      path: row.path,
      amountMicroUsd: row.amount,
      ...(row.units !== null && { asset: row.asset, amountUnits: row.units }),
      state: row.state,
      askedAt: toText(row.created_at),
      ...(row.grants !== null && { granted: toGranted(row.grants) }),
      ...(row.id !== null && {
        receipt: row.id,
        transaction: row.transaction_hash,
        settledAt: row.settled_at === null ? undefined : toText(row.settled_at),
      }),
      ...(row.reversed_at !== null && { reversedAt: toText(row.reversed_at) }),
      ...(row.refunded_at !== null && {
        refund: {
          ...(row.units === null ? { amountMicroUsd: row.refunded } : { amountUnits: row.refunded }),
          refundedAt: toText(row.refunded_at),
          note: row.note ?? undefined,
        },
      }),
    })),
  }
}

function toGranted(json: string) {
  const { player, entitlements } = readGrants(json)
  return { player, entitlements }
}

const toText = (ms: number): string => new Date(ms).toISOString()
