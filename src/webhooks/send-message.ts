import { signMessage } from './sign-message.ts'

/** The URL of a receiver, and the secret key by which it verifies messages. */
export interface Receiver {
  readonly url: string
  readonly key: () => Buffer
}

const usualDeadlineMs = 10_000

/**
 * Makes one attempt to deliver a message. The operator chose the address, so it may be on a private network; but the
 * message goes only there: https verifies the host, and redirects are not followed. Only the status of the response is
 * read.
 *
 * @returns why it was not accepted; undefined when it was
 */
export async function sendMessage(
  { url, key }: Receiver,
  message: { id: string; body: string },
  { now, signal, deadlineMs = usualDeadlineMs }: { now: number; signal: AbortSignal; deadlineMs?: number },
): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: message.body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Farthing-Webhooks',
        ...signMessage(key(), message, Math.floor(now / 1000)),
      },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `the receiver answered ${response.status}`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'the receiver did not answer in time'
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined
    const code = cause && 'code' in cause ? ` (${String(cause.code)})` : ''
    return `the receiver could not be reached${code}`
  }
}
