import type { SmtpServer } from '../config/email-settings.ts'

/** An e-mail to hand to the mail server. */
export interface Outgoing {
  /** The same for each attempt, so that mail programs show a duplicate only once. */
  readonly messageId: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The outcome of an attempt. `refused`: the server has not accepted the e-mail. `unknown`: it may have. */
export type HandedIn = { readonly is: 'taken' } | { readonly is: 'refused' | 'unknown'; readonly reason: string }

const usualDeadlineMs = 30_000
/** How long to wait for the server to close the connection, in ms. */
const closingMs = 1000

/** Like `handIn`, for e-mails that may be sent twice: why it was not accepted, or undefined when it was. */
export async function sendEmail(...attempt: Parameters<typeof handIn>): Promise<string | undefined> {
  const outcome = await handIn(...attempt)
  return outcome.is === 'taken' ? undefined : outcome.reason
}

/**
 * Makes one attempt to hand an e-mail to the mail server. The server's certificate must be valid, and a password is
 * only sent over TLS, except to a server on this machine. The e-mail counts as accepted if it was for at least one
 * recipient: that one would get it again with each further attempt. The library is loaded at the first use.
 */
export async function handIn(
  { host, port, tls, login }: SmtpServer,
  { messageId, from, to, subject, text, headers: more }: Outgoing,
  { signal, deadlineMs = usualDeadlineMs }: { signal: AbortSignal; deadlineMs?: number },
): Promise<HandedIn> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  // Not nodemailer's transport: it has timeouts for each step but none for all, and cannot be aborted.
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const headers = { 'Auto-Submitted': 'auto-generated', ...more }
  const composed = new MailComposer({ messageId, from, to: [...to], subject, text, headers }).compile()
  const message = await composed.build()
  const auth = login()
  const connection = new SMTPConnection({
    host,
    port,
    secure: tls === 'from-the-start',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
    socketCloseTimeout: closingMs,
  })
  const broken = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    connection.on('end', () => reject(new Error('the connection was closed')))
  })
  let isSending = false
  const speak = async (): Promise<undefined> => {
    await toPromise((done) => connection.connect(done))
    if (auth) await toPromise((done) => connection.login({ credentials: auth }, done))
    isSending = true
    await toPromise((done) => connection.send({ from, to: [...to] }, message, done))
  }
  const toLost = (reason: string): HandedIn => ({ is: isSending ? 'unknown' : 'refused', reason })
  const until = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  try {
    const late = await Promise.race([speak(), broken, whenAborted(until)])
    return late === undefined ? { is: 'taken' } : toLost(late)
  } catch (error) {
    const reason = toReason(error)
    return isAnswer(error) ? { is: 'refused', reason } : toLost(reason)
  } finally {
    // Sends QUIT where there is a connection.
    connection.quit()
    connection.close()
  }
}

const toPromise = (begin: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))

const whenAborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const say = () => resolve('the mail server did not answer in time')
    if (signal.aborted) say()
    else signal.addEventListener('abort', say, { once: true })
  })

const at = (error: unknown, name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
/** Whether the server itself refused it. */
const isAnswer = (error: unknown): boolean => typeof at(error, 'responseCode') === 'number'

/** Only the status codes: the texts of servers may repeat addresses or credentials. */
function toReason(error: unknown): string {
  const status = at(error, 'responseCode')
  if (typeof status === 'number') {
    const [detail = ''] = / [245]\.\d{1,3}\.\d{1,3}\b/.exec(String(at(error, 'response'))) ?? []
    return `the mail server answered ${status}${detail}`
  }
  return `the mail could not be handed in (${String(at(error, 'code') ?? 'unknown')})`
}
