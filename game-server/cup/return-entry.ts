import type { Transaction } from 'kysely'
import { findScopeWithoutEntry, grantEntitlements, holdPlayer } from '../../src/payments/ledger/grants.ts'
import type { LedgerSchema } from '../../src/storage/ledger-schema.ts'

const entry = 'agent_cup_entry'

/**
 * Gives a player whose run cannot be judged an entry for the next cup that the player has none for, with the same
 * source as the spent entry. No money is refunded, because the entry that was paid for is not lost.
 */
export async function returnEntry(
  tx: Transaction<LedgerSchema>,
  { key, cup, at }: { key: string; cup: string; at: number },
): Promise<void> {
  await holdPlayer(tx, key)
  const spent = await tx
    .selectFrom('entitlement')
    .select('source')
    .where('player_key', '=', key)
    .where('entitlement', '=', entry)
    .where('scope', '=', cup)
    .executeTakeFirst()
  if (!spent) return
  const scope = await findScopeWithoutEntry(tx, { key, entries: [entry], at })
  await grantEntitlements(tx, { key, entitlements: [entry], scope, source: spent.source }, at)
}
