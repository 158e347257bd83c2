import { type Log, toLogText } from '../core/log.ts'
import { type Message, type MessageQueue, mostAttempts } from './message-queue.ts'

interface Options {
  readonly queue: MessageQueue
  /** One attempt. Resolves to the reason of a failure, or undefined after a success; must stop when `signal` aborts. */
  readonly send: (message: Message) => Promise<string | undefined>
  /** The channel, for the names of log events. */
  readonly channel: 'webhook' | 'email'
  /** The clock of the leases on messages, the same for all programs: `leaseClock`. */
  readonly now: () => number
  readonly log: Log
  /** Aborts the current attempt, and stops. */
  readonly signal: AbortSignal
}

const lookEveryMs = 1000
/** The longest pause: it doubles with each failure up to this. */
const longestPauseMs = 60_000

/**
 * Delivers the messages of a channel, one after another and in the background: no sale and no request waits for a
 * receiver. Messages wait in the ledger until the receiver accepts them, for a little over three days at most. If a
 * process dies while it sends one, it is sent again under the same id.
 *
 * @returns a promise that resolves after `signal` is aborted and the current attempt has ended
 */
export async function deliverMessages({ queue, send, channel, now, log, signal }: Options): Promise<void> {
  let failures = 0

  const fail = async (message: Message, reason: string): Promise<void> => {
    failures += 1
    const { id, type, attempts: attempt } = message
    if (attempt < mostAttempts) {
      await queue.failed(message, now())
      log(`${channel}.failed`, { id, type, attempt, reason })
      return
    }
    await queue.giveUp(message)
    log(`${channel}.given-up`, { id, type, attempt, reason })
  }

  /** Sends the messages that are due, until none is left or one fails. */
  const sendDue = async (): Promise<void> => {
    while (!signal.aborted) {
      const message = await queue.take(now())
      if (!message) return
      const reason = await send(message)
      if (signal.aborted && reason !== undefined) {
        // Interrupted because this process ends: it is due at once, so that the next process sends it when it starts.
        await queue.failed({ ...message, waitMs: 0 }, now())
        return
      }
      if (reason !== undefined) {
        await fail(message, reason)
        return
      }
      failures = 0
      await queue.delivered(message)
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

  while (!signal.aborted) {
    await sendDue().catch((error: unknown) => log('server.error', { error: toLogText(error) }))
    if (!signal.aborted) await pause()
  }
}
