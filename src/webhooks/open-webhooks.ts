import { type Log, toLogText } from '../core/log.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { type Message, makeMessageQueue, mostAttempts } from './message-queue.ts'
import { type Receiver, sendMessage } from './send-message.ts'

interface Options {
  readonly db: LedgerDatabase
  /** Nobody is told of anything when absent. */
  readonly receiver: Receiver | undefined
  readonly now: () => number
  readonly log: Log
  /** Ends what is being sent, and begins nothing more. */
  readonly signal: AbortSignal
}

const lookEveryMs = 1000
/** A receiver that fails is asked ever less often, up to this. */
const longestPauseMs = 60_000

/**
 * Delivers what is announced, one message after another and beside everything else: no sale and no request waits for
 * the receiver. Messages are in the ledger until they were taken (any status 2xx), for three days at most; a process
 * that dies while it sends one leaves it to be sent again under the same id.
 */
export async function openWebhooks({ db, receiver, now, log, signal }: Options) {
  const queue = makeMessageQueue(db)
  let failures = 0
  let ended: Promise<void> = Promise.resolve()

  const fail = async ({ id, type, attempts: attempt }: Message, reason: string): Promise<void> => {
    failures += 1
    if (attempt < mostAttempts) {
      log('webhook.failed', { id, type, attempt, reason })
      return
    }
    await queue.giveUp(id)
    log('webhook.given-up', { id, type, attempt, reason })
  }

  /** Sends what is due until nothing is, or something fails. */
  const sendDue = async (to: Receiver): Promise<void> => {
    while (!signal.aborted) {
      const message = await queue.take(now())
      if (!message) return
      const reason = await sendMessage(to, message, { now: now(), signal })
      // Cut off by our own end: it is sent again by whoever comes next.
      if (signal.aborted) return
      if (reason !== undefined) {
        await fail(message, reason)
        return
      }
      failures = 0
      await queue.delivered(message.id)
    }
  }

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const timer = setTimeout(stop, Math.min(lookEveryMs * 2 ** failures, longestPauseMs)).unref()
      signal.addEventListener('abort', stop)
    })

  const run = async (to: Receiver): Promise<void> => {
    while (!signal.aborted) {
      await sendDue(to).catch((error: unknown) => log('server.error', { error: toLogText(error) }))
      if (!signal.aborted) await pause()
    }
  }

  // Both programs announce only what somebody is to be told of.
  if (receiver)
    await db
      .insertInto('webhook_receiver')
      .values({ id: 1, since: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('webhook_receiver').execute()

  return {
    countWaiting: queue.countWaiting,
    /** From now on messages are sent. */
    start(): void {
      if (receiver) ended = run(receiver)
    },
    /** After the signal: when nothing is sent any more. */
    close: (): Promise<void> => ended,
  }
}
