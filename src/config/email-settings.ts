import { z } from 'zod'

/** All events that e-mails can be sent for; `alarms` are those that e-mails are sent for by default. */
export const emailEvents = ['payment.settled', 'payment.doubted', 'job.failed', 'gas.low'] as const
const alarms: readonly EmailEvent[] = ['payment.doubted', 'job.failed', 'gas.low']
export type EmailEvent = (typeof emailEvents)[number]

/** How to connect to the mail server. `none` is an unencrypted connection, which is only used on this machine. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly tls: 'from-the-start' | 'starttls' | 'none'
  /** Never printed. */
  readonly login: () => { readonly user: string; readonly pass: string } | undefined
}

const shape = 'must be an address like smtps://user:password@mail.example:465 or smtp://mail.example:587'
const isHere = (host: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(host)

/** Parses the address of the mail server. Error messages do not repeat it, because it contains a password. */
export const smtpUrl = z.string().transform((text, context): SmtpServer => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fail = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return fail(shape)
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return fail(shape)
  const login = toLogin(url)
  if (login === 'unreadable')
    return fail(`${shape}; percent-encode special characters in the password, such as %40 for @`)
  if ((url.username === '') !== (url.password === '')) return fail('must have both a user and a password, or neither')
  const isFromTheStart = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port === '' ? (isFromTheStart ? 465 : 587) : Number(url.port),
    tls: isFromTheStart ? 'from-the-start' : isHere(url.hostname) ? 'none' : 'starttls',
    login: () => login,
  }
})

function toLogin({ username, password }: URL): { user: string; pass: string } | undefined | 'unreadable' {
  if (username === '') return undefined
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch {
    return 'unreadable'
  }
}

/** A plain e-mail address, without display name or comment: nothing in it can become another header. */
export const emailAddress = z.email('must be an e-mail address like shop@example.com').max(254)

const list = (text: string) => text.split(/[\s,]+/).filter(Boolean)

export const emailAddresses = z.string().transform(list).pipe(z.array(emailAddress).min(1).max(20))

export const emailEventList = z
  .string()
  .transform(list)
  .pipe(z.array(z.enum(emailEvents, `must be a list of ${emailEvents.join(', ')}`)).min(1))
  .default([...alarms])
