import { readGrants } from '../payments/ledger/grants.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/**
 * Everything that the books hold of one wallet, for whoever asks for their own: payments with what became of them, the
 * receipts, and what was granted in the game, which names the player. Times are RFC 3339, amounts micro-USD. Products
 * are not repeated, and what only guards a payment (hashes, seals) is left out.
 *
 * @param wallet in any spelling
 */
export async function readWalletData(db: LedgerDatabase, wallet: string) {
  const payer = wallet.toLowerCase()
  const rows = await db
    .selectFrom('payment')
    .leftJoin('sale', 'sale.payment_key', 'payment.key')
    .select(['payment.path', 'payment.amount', 'payment.state', 'payment.created_at', 'payment.grants'])
    .select(['sale.id', 'sale.transaction_hash', 'sale.settled_at', 'sale.reversed_at'])
    .where((row) => row.fn<string>('lower', ['payment.payer']), '=', payer)
    .orderBy('payment.created_at')
    .execute()
  return {
    wallet: payer,
    payments: rows.map((row) => ({
      path: row.path,
      amountMicroUsd: row.amount,
      state: row.state,
      askedAt: toText(row.created_at),
      ...(row.grants !== null && { granted: toGranted(row.grants) }),
      ...(row.id !== null && {
        receipt: row.id,
        transaction: row.transaction_hash,
        settledAt: row.settled_at === null ? undefined : toText(row.settled_at),
      }),
      ...(row.reversed_at !== null && { reversedAt: toText(row.reversed_at) }),
    })),
  }
}

function toGranted(json: string) {
  const { player, entitlements } = readGrants(json)
  return { player, entitlements }
}

const toText = (ms: number): string => new Date(ms).toISOString()
