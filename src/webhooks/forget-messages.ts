import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const keptMs = 14 * 24 * 60 * 60 * 1000

/**
 * Deletes messages that nobody asks about any more, those among them that wait since then for a receiver that was taken
 * out of the settings.
 *
 * @returns how many
 */
export async function forgetMessages(db: LedgerDatabase, now: number): Promise<number> {
  const gone = await db
    .deleteFrom('webhook_message')
    .where('created_at', '<', now - keptMs)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
