import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const keptMs = 14 * 24 * 60 * 60 * 1000

/**
 * Deletes messages that are older than 14 days, including those that still wait for a receiver that was removed from
 * the settings.
 *
 * @param now milliseconds
 * @returns how many
 */
export async function forgetMessages(db: LedgerDatabase, now: number): Promise<number> {
  const gone = await db
    .deleteFrom('webhook_message')
    .where('created_at', '<', now - keptMs)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
