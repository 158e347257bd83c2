import { randomBytes } from 'node:crypto'
import { type Expression, sql, type Transaction } from 'kysely'
import { sha256 } from '../core/sha256.ts'
import type { LedgerSchema, WebhookType } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { type Places, prepare } from '../storage/prepare.ts'

/** An event to notify the operator of. */
export interface Announcement {
  readonly type: WebhookType
  /** When it happened, in milliseconds. */
  readonly at: number
  readonly data: object
  /** A name for what may be announced only once: a second announcement of the same type and name is dropped. */
  readonly once?: string
}

/**
 * Queues one message for the receiver of webhooks and one for that of e-mail, as far as there are any. Called in the
 * transaction of the event, so that both are committed or neither. The site sends the messages (`open-webhooks.ts`,
 * `src/email`).
 */
export async function announce(
  db: LedgerDatabase | Transaction<LedgerSchema>,
  { type, at, data, once }: Announcement,
): Promise<void> {
  // Most shops have none, and this question takes a tenth of the time of an insert that finds none.
  const {
    rows: [receiver],
  } = await findReceiver(db, {})
  if (!receiver) return
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  const ids = { webhookId: toId('msg', type, once), emailId: toId('mail', type, once) }
  // `events` of a receiver is a JSON list of names. With its quotes, no name is part of another.
  await putInLine(db, { ...ids, type, body, at, events: `%"${type}"%` })
}

/** Selects whether there is any receiver. */
const findReceiver = prepare((db: LedgerDatabase, _: Places<Record<never, never>>) =>
  db
    .selectFrom('webhook_receiver')
    .select(sql.lit(1).as('one'))
    .where('id', '=', 1)
    .unionAll(db.selectFrom('email_receiver').select(sql.lit(1).as('one')))
    .limit(1),
)

interface Message {
  webhookId: string
  emailId: string
  type: WebhookType
  body: string
  at: number
  /** A pattern for `like`. */
  events: string
}

const putInLine = prepare((db: LedgerDatabase, place: Places<Message>) => {
  const { type, body, at } = place
  // Without the cast, PostgreSQL takes a parameter in a selection for text.
  const time = sql<number>`cast(${at} as bigint)`
  const toRow = (channel: 'webhook' | 'email', id: Expression<string>) =>
    [
      sql<string>`${id}`.as('id'),
      sql.val(channel).as('channel'),
      sql<WebhookType>`${type}`.as('type'),
      sql<string>`${body}`.as('body'),
      sql.lit('waiting').as('state'),
      time.as('next_at'),
      time.as('created_at'),
    ] as const
  const messages = db
    .selectFrom('webhook_receiver')
    .select(toRow('webhook', place.webhookId))
    .where('id', '=', 1)
    .unionAll(
      db.selectFrom('email_receiver').select(toRow('email', place.emailId)).where('events', 'like', place.events),
    )
  return db
    .insertInto('webhook_message')
    .columns(['id', 'channel', 'type', 'body', 'state', 'next_at', 'created_at'])
    .expression(messages)
    .onConflict((conflict) => conflict.doNothing())
})

const toId = (prefix: string, type: string, once: string | undefined): string =>
  `${prefix}_${once === undefined ? randomBytes(16).toString('hex') : sha256(type, once).slice(0, 32)}`
