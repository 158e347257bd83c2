import { Socket } from 'node:net'
import type { SmtpServer } from '../config/email-settings.ts'

/** An e-mail as it is handed in. */
export interface Outgoing {
  /** The same for each attempt, so that who got it twice sees it once. */
  readonly messageId: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

const usualDeadlineMs = 30_000

/**
 * One attempt to hand in an e-mail. The server is the operator's own choice; its certificate must be good, and a
 * password travels under TLS alone, but for a server on this machine. The library is loaded when it is first needed.
 *
 * @returns why it was not taken, or undefined when the server took it
 */
export async function sendEmail(
  { host, port, tls, login }: SmtpServer,
  { messageId, from, to, subject, text }: Outgoing,
  { signal, deadlineMs = usualDeadlineMs }: { signal: AbortSignal; deadlineMs?: number },
): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  // Ours, so that we can end it: the library has a time limit for each step, and none for all of them.
  const socket = new Socket()
  const until = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const auth = login()
  const transport = createTransport({
    host,
    port,
    secure: tls === 'from-the-start',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    socket,
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(auth && { auth }),
  })
  const headers = { 'Auto-Submitted': 'auto-generated' }
  const sending = transport
    .sendMail({ messageId, from, to: [...to], subject, text, headers })
    .then(
      ({ rejected }) =>
        rejected.length > 0 ? `the mail server refused ${rejected.length} of the recipients` : undefined,
      toReason,
    )
  try {
    return await Promise.race([sending, whenAborted(until)])
  } finally {
    socket.destroy()
  }
}

const whenAborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const say = () => resolve('the mail server did not answer in time')
    if (signal.aborted) say()
    else signal.addEventListener('abort', say, { once: true })
  })

/** Codes alone: what servers write beside them may repeat what they were told. */
function toReason(error: unknown): string {
  const at = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  const status = at('responseCode')
  if (typeof status === 'number') {
    const [detail = ''] = / [245]\.\d{1,3}\.\d{1,3}\b/.exec(String(at('response'))) ?? []
    return `the mail server answered ${status}${detail}`
  }
  return `the mail could not be handed in (${String(at('code') ?? 'unknown')})`
}
