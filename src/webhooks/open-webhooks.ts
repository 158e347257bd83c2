import type { Log } from '../core/log.ts'
import { leaseClock } from '../storage/lease-clock.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { deliverMessages } from './deliver-messages.ts'
import { makeMessageQueue } from './message-queue.ts'
import { type Receiver, sendMessage } from './send-message.ts'

interface Options {
  readonly db: LedgerDatabase
  /** The operator's receiver of webhooks; nothing is sent when undefined. */
  readonly receiver: Receiver | undefined
  readonly now: () => number
  readonly log: Log
  /** Aborts the current attempt, and stops. */
  readonly signal: AbortSignal
}

/**
 * Sends announced messages to the receiver of webhooks (`deliver-messages.ts`). A 2xx status means that it accepted
 * one.
 */
export async function openWebhooks({ db, receiver, now, log, signal }: Options) {
  const queue = makeMessageQueue({ db, channel: 'webhook' })
  let ended: Promise<void> = Promise.resolve()

  // The row tells both programs whether there is a receiver; without one they queue no messages.
  if (receiver)
    await db
      .insertInto('webhook_receiver')
      .values({ id: 1, since: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else await db.deleteFrom('webhook_receiver').execute()

  return {
    /**
     * How many messages wait. Zero without a receiver: they are sent when there is one again and are no reason for
     * alarm.
     */
    countWaiting: receiver ? queue.countWaiting : async () => 0,
    /** Begins to send messages. */
    start(): void {
      if (!receiver) return
      const send = (message: { id: string; body: string }) => sendMessage(receiver, message, { now: now(), signal })
      ended = deliverMessages({ queue, send, channel: 'webhook', now: leaseClock(db, now), log, signal })
    },
    /** Resolves after the signal, once nothing is being sent any more. */
    close: (): Promise<void> => ended,
  }
}
