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
  /** No e-mails are sent when absent. */
  readonly email: Config['email']
  /** Base URL of the site, for links. */
  readonly baseUrl: string
  readonly now: () => number
  readonly log: Log
  /** Aborts what is being sent; nothing more is sent after it. */
  readonly signal: AbortSignal
}

/** Sales within this time after an e-mail about sales are combined in the next one. */
const gatherMs = 15 * 60_000

/**
 * Sends e-mails about announced events (`deliver-messages.ts`). The first sale is reported at once, and the sales of
 * the next quarter of an hour in one e-mail; alarms never wait.
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
    /** Number of waiting messages; 0 when e-mail is not configured any more, so that they raise no alarm. */
    countWaiting: email ? queue.countWaiting : async () => 0,
    /** Starts to send e-mails. */
    start(): void {
      if (!email) return
      ended = deliverMessages({ queue, send: send(email), channel: 'email', now: leaseClock(db, now), log, signal })
    },
    /** To be called after the signal: resolves when nothing is sent any more. */
    close: (): Promise<void> => ended,
  }
}
