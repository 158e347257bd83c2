import { type Log, toLogText } from '../core/log.ts'
import { type Message, type MessageQueue, mostAttempts } from './message-queue.ts'

interface Options {
  readonly queue: MessageQueue
  /** One attempt. Resolves to why it was not taken, or undefined when it was; ends with `signal`. */
  readonly send: (message: Message) => Promise<string | undefined>
  /** Whose events the log tells. */
  readonly channel: 'webhook' | 'email'
  /** By which whoever takes a message has it for a while, over all programs. */
  readonly now: () => number
  readonly log: Log
  /** Ends what is being sent, and begins nothing more. */
  readonly signal: AbortSignal
}

const lookEveryMs = 1000
/** A receiver that fails is asked ever less often, up to this. */
const longestPauseMs = 60_000

/**
 * Delivers the messages of a channel, one after another and beside everything else: no sale and no request waits for a
 * receiver. Messages are in the ledger until they were taken, for three days at most; a process that dies while it sends
 * one leaves it to be sent again under the same id.
 *
 * @returns when the signal was given and nothing is sent any more
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

  /** Sends what is due until nothing is, or something fails. */
  const sendDue = async (): Promise<void> => {
    while (!signal.aborted) {
      const message = await queue.take(now())
      if (!message) return
      const reason = await send(message)
      // Cut off by our own end: it is sent again by whoever comes next.
      if (signal.aborted && reason !== undefined) {
        await queue.failed(message, now())
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
