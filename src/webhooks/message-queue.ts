import { type ExpressionBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { LedgerSchema, WebhookMessageTable, WebhookType } from '../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { alone, transact } from '../storage/transact.ts'
import { withoutSync } from '../storage/without-sync.ts'

/** A message that was taken for one attempt, and those that were gathered to be sent with it, in order of time. */
export interface Message extends Selectable<WebhookMessageTable> {
  readonly others: readonly Selectable<WebhookMessageTable>[]
  /** How long it waits when this attempt fails. */
  readonly waitMs: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** After each failure, as Standard Webhooks suggests; the sum is three days. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
/** So many attempts, and the message is given up. */
export const mostAttempts = waits.length + 1
/** Longer than an attempt may take, by channel: only whoever died in one is followed by another. */
const leases = { webhook: 15 * second, email: 40 * second }
/** After the last attempt, for whoever died in it. */
const lastWait = minute

/** Of each wait, up or down: receivers that come back are not met by everything at once. */
const jitter = 0.2

/** Nothing waits longer: what is due later than this was put there by a clock that was ahead. */
const longestWaitMs = Math.max(...waits) * (1 + jitter)

/** What is sent together is not more than somebody reads. */
const mostTogether = 100

interface Options {
  readonly db: LedgerDatabase
  readonly channel: 'webhook' | 'email'
  /** Of this type all that is due is sent together, this long after the last. Nothing is gathered when absent. */
  readonly gathers?: { readonly type: WebhookType; readonly everyMs: number }
  readonly random?: () => number
}

/**
 * The messages of a channel that wait, in the order in which they are due. Nothing here waits for the disk: what a power
 * cut takes back of these writes is sent once more, under the same id.
 */
export function makeMessageQueue({ db, channel, gathers, random = Math.random }: Options) {
  let gatherAgainAt = 0
  /** Whatever is not of the type that is gathered, or is on its way already. */
  const isNotGathered = gathers ? sql<boolean>`(batch is not null or type <> ${gathers.type})` : sql<boolean>`true`
  /** Nobody has tried to send it yet: it waits for nothing, whatever the clock of the program that wrote it says. */
  const isNew = sql<boolean>`attempts = 0`
  const isDue = (now: number) => (eb: ExpressionBuilder<LedgerSchema, 'webhook_message'>) =>
    eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + longestWaitMs), isNew])
  /** Not for as long as a clock was ahead that was set back. */
  const isGathering = (now: number): boolean => now < gatherAgainAt && gatherAgainAt - now <= (gathers?.everyMs ?? 0)
  const waiting = () => db.selectFrom('webhook_message').where('channel', '=', channel).where('state', '=', 'waiting')
  const idsOf = ({ id, others }: Pick<Message, 'id' | 'others'>) => [id, ...others.map((other) => other.id)]
  const settle = async (message: Message, state: 'delivered' | 'given-up'): Promise<void> => {
    const ids = idsOf(message)
    await db.updateTable('webhook_message').set({ state }).where('id', 'in', ids).modifyEnd(withoutSync).execute()
  }

  /** What is sent with a message: what was sent with it before, or else what is due of a type that is gathered. */
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
  /** All that is sent together, or nothing: another process may have gathered some of it. */
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
     * Takes the next message that is due, for one attempt: it is due again after its wait, whatever becomes of this
     * process, but not while the attempt may still go on. `attempts` counts this one. Undefined when nothing is due, or
     * another process was quicker.
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
      const isTaken = ids.length === 1 ? await takeOne(ids, due.attempts, set) : await takeAll(ids, due.attempts, set)
      if (!isTaken) return undefined
      if (gathers && first.type === gathers.type) gatherAgainAt = now + gathers.everyMs
      return { ...first, attempts, next_at, batch, others, waitMs }
    },

    /** The attempt is over, in vain: it is due again after its wait, unless somebody else has taken it by now. */
    async failed(message: Message, now: number): Promise<void> {
      const set = { next_at: now + message.waitMs }
      await untaken(idsOf(message), message.attempts).set(set).modifyEnd(withoutSync).execute()
    },

    delivered: (message: Message) => settle(message, 'delivered'),
    giveUp: (message: Message) => settle(message, 'given-up'),

    /** Those that are to be sent now; what is gathered for later is in order. */
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
