import type { Log } from '../core/log.ts'
import { leaseClock } from '../storage/lease-clock.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { deliverMessages } from './deliver-messages.ts'
import { makeMessageQueue } from './message-queue.ts'
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

/** Tells a receiver of webhooks what is announced (`deliver-messages.ts`); any status 2xx says that it took a message. */
export async function openWebhooks({ db, receiver, now, log, signal }: Options) {
  const queue = makeMessageQueue({ db, channel: 'webhook' })
  let ended: Promise<void> = Promise.resolve()

  // Both programs announce only what somebody is to be told of.
  if (receiver)
    await db
      .insertInto('webhook_receiver')
      .values({ id: 1, since: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('webhook_receiver').execute()

  return {
    /** What waits for a receiver that was taken out of the settings is sent when there is one again, and no alarm. */
    countWaiting: receiver ? queue.countWaiting : async () => 0,
    /** From now on messages are sent. */
    start(): void {
      if (!receiver) return
      const send = (message: { id: string; body: string }) => sendMessage(receiver, message, { now: now(), signal })
      ended = deliverMessages({ queue, send, channel: 'webhook', now: leaseClock(db, now), log, signal })
    },
    /** After the signal: when nothing is sent any more. */
    close: (): Promise<void> => ended,
  }
}
