import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { LedgerSchema, WebhookMessageTable, WebhookType } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'
import { withoutSync } from '../storage/without-sync.ts'

/** A message that was taken for one attempt, with the others that are sent together with it, the oldest first. */
export interface Message extends Selectable<WebhookMessageTable> {
  readonly others: readonly Selectable<WebhookMessageTable>[]
  /** How long it waits after this attempt if that fails, in milliseconds. */
  readonly waitMs: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/**
 * The waits after each failure, in milliseconds, as Standard Webhooks suggests; their sum is a little over three days.
 */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** How many attempts are made before a message is given up. */
export const mostAttempts = waits.length + 1
/**
 * By channel, longer than an attempt may take: another process only takes a message whose process died in an attempt.
 */
const leases = { webhook: 15 * second, email: 40 * second }
/** The wait after the last attempt, which is repeated if its process died. */
const lastWait = minute

/** The share by which each wait varies, so that a receiver that comes back does not get all messages at once. */
const jitter = 0.2

/** A message that is due later than this from now was written by a clock that was ahead, and counts as due. */
const longestWaitMs = Math.max(...waits) * (1 + jitter)

/** How many messages are sent together at most, because people read them. */
const mostTogether = 100

interface Options {
  readonly db: LedgerDatabase
  readonly channel: 'webhook' | 'email'
  /** All due messages of this type are sent together, at most once per `everyMs`. Nothing is gathered when absent. */
  readonly gathers?: { readonly type: WebhookType; readonly everyMs: number }
  readonly random?: () => number
}

/**
 * The queue of messages of a channel, in the order in which they are due. Its writes, except for taking a batch, do not
 * wait for the disk: if a power cut loses one, the message is sent once more, under the same id.
 */
export function makeMessageQueue({ db, channel, gathers, random = Math.random }: Options) {
  let gatherAgainAt = 0
  /** Messages that are not of the gathered type, or were gathered in a batch before. */
  const isNotGathered = gathers ? sql<boolean>`(batch is not null or type <> ${gathers.type})` : sql<boolean>`true`
  /** Not tried yet: due at once, because `next_at` may be from a clock that was ahead. */
  const isNew = sql<boolean>`attempts = 0`
  const isDue = (now: number) => (eb: ExpressionBuilder<LedgerSchema, 'webhook_message'>) =>
    eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + longestWaitMs), isNew])
  /** Whether gathered messages must still wait. A remaining wait above `everyMs` means that the clock was set back. */
  const isGathering = (now: number): boolean => now < gatherAgainAt && gatherAgainAt - now <= (gathers?.everyMs ?? 0)
  const waiting = () => db.selectFrom('webhook_message').where('channel', '=', channel).where('state', '=', 'waiting')
  const idsOf = ({ id, others }: Pick<Message, 'id' | 'others'>) => [id, ...others.map((other) => other.id)]
  const settle = async (message: Message, state: 'delivered' | 'given-up'): Promise<void> => {
    const ids = idsOf(message)
    await db.updateTable('webhook_message').set({ state }).where('id', 'in', ids).modifyEnd(withoutSync).execute()
  }

  /** The messages that are sent together with one: the batch it was in before, otherwise all due ones of its type. */
  const gather = async (first: Selectable<WebhookMessageTable>, now: number) => {
    if (first.batch === null && first.type !== gathers?.type) return [first]
    const all = waiting().selectAll().where('type', '=', first.type).orderBy('created_at').orderBy('id')
    const together =
      first.batch === null
        ? all.where('batch', 'is', null).where(isDue(now)).limit(mostTogether)
        : all.where('batch', '=', first.batch)
    return together.execute()
  }

  const untaken = (ids: readonly string[], attempts: number, from: LedgerDatabase = db) =>
    from
      .updateTable('webhook_message')
      .where('id', 'in', ids)
      .where('state', '=', 'waiting')
      .where('attempts', '=', attempts)
  const takeOne = async (ids: readonly string[], attempts: number, set: Updateable<WebhookMessageTable>) => {
    const taken = await untaken(ids, attempts).set(set).modifyEnd(withoutSync).executeTakeFirst()
    return taken.numUpdatedRows === 1n
  }
  /** Takes all messages of a batch, or none if another process has taken some of them meanwhile. */
  const takeAll = (ids: readonly string[], attempts: number, set: Updateable<WebhookMessageTable>) =>
    transact(db, async (tx) => {
      await alone(tx, 'messages', channel)
      const still = await tx
        .selectFrom('webhook_message')
        .select('id')
        .where('id', 'in', ids)
        .where('state', '=', 'waiting')
        .where('attempts', '=', attempts)
        .execute()
      if (still.length !== ids.length) return false
      await untaken(ids, attempts, tx).set(set).execute()
      return true
    })

  return {
    /**
     * Takes the next due message for one attempt, which `attempts` includes. Even if this process dies, the message is
     * due again after its wait, but not while the attempt may still go on. Undefined when nothing is due, or another
     * process was quicker.
     */
    async take(now: number): Promise<Message | undefined> {
      const due = await waiting()
        .selectAll()
        .where(isDue(now))
        .where(isGathering(now) ? isNotGathered : sql<boolean>`true`)
        .orderBy('next_at')
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst()
      if (!due) return undefined
      const [first = due, ...others] = await gather(due, now)
      const attempts = due.attempts + 1
      const waitMs = Math.round((waits[due.attempts] ?? lastWait) * (1 + jitter * (2 * random() - 1)))
      const next_at = now + Math.max(waitMs, leases[channel])
      const batch = first.batch ?? (first.type === gathers?.type ? first.id : null)
      const ids = idsOf({ ...first, others })
      const set = { attempts, next_at, batch }
      // A single message that is gathered, too: another process may be taking a batch that contains it.
      const isTaken = batch === null ? await takeOne(ids, due.attempts, set) : await takeAll(ids, due.attempts, set)
      if (!isTaken) return undefined
      if (gathers && first.type === gathers.type) gatherAgainAt = now + gathers.everyMs
      return { ...first, attempts, next_at, batch, others, waitMs }
    },

    /**
     * Records a failed attempt: the message is due again after its wait, unless another process has taken it by now.
     */
    async failed(message: Message, now: number): Promise<void> {
      const set = { next_at: now + message.waitMs }
      await untaken(idsOf(message), message.attempts).set(set).modifyEnd(withoutSync).execute()
    },

    delivered: (message: Message) => settle(message, 'delivered'),
    giveUp: (message: Message) => settle(message, 'given-up'),

    /** How many messages wait, without those that are being gathered for a later batch. */
    async countWaiting(): Promise<number> {
      const { count } = await waiting()
        .where(isNotGathered)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

export type MessageQueue = ReturnType<typeof makeMessageQueue>
