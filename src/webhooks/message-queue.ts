import type { Selectable } from 'kysely'
import type { WebhookMessageTable } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { withoutSync } from '../storage/without-sync.ts'

export type Message = Selectable<WebhookMessageTable>

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** After each failure, as the specification suggests; the sum is three days. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** So many attempts, and the message is given up. */
export const mostAttempts = waits.length + 1
/** Longer than an attempt may take: whoever died in the last one is followed by another. */
const lastLeaseMs = minute

/** Of each wait, up or down: receivers that come back are not met by everything at once. */
const jitter = 0.2

/**
 * The messages that wait, in the order in which they are due. Nothing here waits for the disk: what a power cut takes
 * back of these writes is sent once more, under the same id.
 */
export function makeMessageQueue(db: LedgerDatabase, random: () => number = Math.random) {
  const settle = async (id: string, state: 'delivered' | 'given-up'): Promise<void> => {
    await db.updateTable('webhook_message').set({ state }).where('id', '=', id).modifyEnd(withoutSync).execute()
  }
  return {
    /**
     * Takes the next message that is due, for one attempt: it is due again after its wait, whatever becomes of this
     * process. `attempts` counts this one. Undefined when nothing is due, or another process was quicker.
     */
    async take(now: number): Promise<Message | undefined> {
      const due = await db
        .selectFrom('webhook_message')
        .selectAll()
        .where('state', '=', 'waiting')
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst()
      if (!due) return undefined
      const attempts = due.attempts + 1
      const waitMs = (waits[due.attempts] ?? lastLeaseMs) * (1 + jitter * (2 * random() - 1))
      const next_at = Math.round(now + waitMs)
      const taken = await db
        .updateTable('webhook_message')
        .set({ attempts, next_at })
        .where('id', '=', due.id)
        .where('state', '=', 'waiting')
        .where('attempts', '=', due.attempts)
        .modifyEnd(withoutSync)
        .executeTakeFirst()
      return taken.numUpdatedRows === 1n ? { ...due, attempts, next_at } : undefined
    },

    delivered: (id: string) => settle(id, 'delivered'),
    giveUp: (id: string) => settle(id, 'given-up'),

    async countWaiting(): Promise<number> {
      const { count } = await db
        .selectFrom('webhook_message')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}
