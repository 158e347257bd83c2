import type { SmtpServer } from '../config/email-settings.ts'

/** An e-mail as it is handed in. */
export interface Outgoing {
  /** The same for each attempt, so that who got it twice sees it once. */
  readonly messageId: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What became of an attempt. `refused`: the server has not taken it. `unknown`: it may have. */
export type HandedIn = { readonly is: 'taken' } | { readonly is: 'refused' | 'unknown'; readonly reason: string }

const usualDeadlineMs = 30_000
/** A server that does not hang up is left. */
const closingMs = 1000

/** The same for whoever may send it again in either case: why it was not taken, or undefined when it was. */
export async function sendEmail(...attempt: Parameters<typeof handIn>): Promise<string | undefined> {
  const outcome = await handIn(...attempt)
  return outcome.is === 'taken' ? undefined : outcome.reason
}

/**
 * One attempt to hand in an e-mail. The server is the operator's own choice; its certificate must be good, and a
 * password travels under TLS alone, but for a server on this machine. Taken is what it takes for one recipient at least:
 * sent again, it would come to that one ten times. The library is loaded when it is first needed.
 */
export async function handIn(
  { host, port, tls, login }: SmtpServer,
  { messageId, from, to, subject, text, headers: more }: Outgoing,
  { signal, deadlineMs = usualDeadlineMs }: { signal: AbortSignal; deadlineMs?: number },
): Promise<HandedIn> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  // Not the transport that is made of it: that one has a limit for each step and none for all, and cannot be ended.
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
    // Says goodbye where there is somebody to say it to.
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
/** Whether the server itself said no. */
const isAnswer = (error: unknown): boolean => typeof at(error, 'responseCode') === 'number'

/** Codes alone: what servers write beside them may repeat what they were told. */
function toReason(error: unknown): string {
  const status = at(error, 'responseCode')
  if (typeof status === 'number') {
    const [detail = ''] = / [245]\.\d{1,3}\.\d{1,3}\b/.exec(String(at(error, 'response'))) ?? []
    return `the mail server answered ${status}${detail}`
  }
  return `the mail could not be handed in (${String(at(error, 'code') ?? 'unknown')})`
}
