import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { sha256 } from '../core/sha256.ts'
import type { LedgerSchema, WebhookType } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** What the operator's receiver is to hear of. */
export interface Announcement {
  readonly type: WebhookType
  readonly at: number
  readonly data: object
  /** What may be announced once only has a name; the next with the same name is left out. */
  readonly once?: string
}

/**
 * Puts a message in line for the receiver of webhooks, where there is one: with the transaction that it tells of, or not
 * at all. Sending it is the site's business (`open-webhooks.ts`).
 */
export async function announce(
  db: LedgerDatabase | Transaction<LedgerSchema>,
  { type, at, data, once }: Announcement,
): Promise<void> {
  const id = `msg_${once === undefined ? randomBytes(16).toString('hex') : sha256(type, once).slice(0, 32)}`
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  const message = db
    .selectFrom('webhook_receiver')
    .select([
      sql.val(id).as('id'),
      sql.val(type).as('type'),
      sql.val(body).as('body'),
      sql.lit('waiting').as('state'),
      sql.val(at).as('next_at'),
      sql.val(at).as('created_at'),
    ])
    .where('id', '=', 1)
  await db
    .insertInto('webhook_message')
    .columns(['id', 'type', 'body', 'state', 'next_at', 'created_at'])
    .expression(message)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
