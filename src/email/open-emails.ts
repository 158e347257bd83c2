import type { Config } from '../config/config.ts'
import { type Log, toLogText } from '../core/log.ts'
import { leaseClock } from '../storage/lease-clock.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { deliverMessages } from '../webhooks/deliver-messages.ts'
import { type Message, makeMessageQueue } from '../webhooks/message-queue.ts'
import { sendEmail } from './send-email.ts'
import { writeEmail } from './write-email.ts'

interface Options {
  readonly db: LedgerDatabase
  /** Nobody is written to when absent. */
  readonly email: Config['email']
  /** Of the site, which links lead to. */
  readonly baseUrl: string
  readonly now: () => number
  readonly log: Log
  /** Ends what is being sent, and begins nothing more. */
  readonly signal: AbortSignal
}

/** Sales come in one e-mail when they come faster than this. */
const gatherMs = 15 * 60_000

/**
 * Writes e-mails of what is announced (`deliver-messages.ts`). The first sale is told at once, and what is sold in the
 * quarter of an hour after it in one e-mail; alarms never wait.
 */
export async function openEmails({ db, email, baseUrl, now, log, signal }: Options) {
  const gathers = { type: 'payment.settled', everyMs: gatherMs } as const
  const queue = makeMessageQueue({ db, channel: 'email', gathers })
  let ended: Promise<void> = Promise.resolve()

  if (email) {
    const events = JSON.stringify(email.events)
    await db
      .insertInto('email_receiver')
      .values({ id: 1, since: now(), events })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ events }))
      .execute()
  } else await db.deleteFrom('email_receiver').execute()

  const send =
    ({ server, from, to }: NonNullable<Config['email']>) =>
    async ({ id, body, others }: Message): Promise<string | undefined> => {
      try {
        const { subject, text } = writeEmail([body, ...others.map((other) => other.body)], baseUrl)
        const messageId = `<${id}@${new URL(baseUrl).hostname}>`
        return await sendEmail(server, { messageId, from, to, subject, text }, { signal })
      } catch (error) {
        return toLogText(error)
      }
    }

  return {
    /** Of what waits for settings that were taken away no alarm is made. */
    countWaiting: email ? queue.countWaiting : async () => 0,
    /** From now on e-mails are sent. */
    start(): void {
      if (!email) return
      ended = deliverMessages({ queue, send: send(email), channel: 'email', now: leaseClock(db, now), log, signal })
    },
    /** After the signal: when nothing is sent any more. */
    close: (): Promise<void> => ended,
  }
}
