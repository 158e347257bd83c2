import { ConfigError } from './config-error.ts'
import type { EmailEvent, SmtpServer } from './email-settings.ts'
import type { Environment } from './environment.ts'

/** Where notifications are sent. */
export interface NotificationSettings {
  /** The receiver of webhooks. `key` is never printed. */
  readonly webhook: { readonly url: string; readonly key: () => Buffer } | undefined
  /** The recipients of e-mails, the events they are sent for, and the mail server. */
  readonly email:
    | {
        readonly server: SmtpServer
        readonly from: string
        readonly to: readonly string[]
        readonly events: readonly EmailEvent[]
      }
    | undefined
}

/** @throws ConfigError when one of several settings that belong together is missing */
export const notificationsOf = (env: Environment): NotificationSettings => ({
  webhook: webhookOf(env),
  email: emailOf(env),
})

function webhookOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: key }: Environment): NotificationSettings['webhook'] {
  if (url === undefined && key === undefined) return undefined
  if (url === undefined) throw new ConfigError('WEBHOOK_URL must be set when WEBHOOK_SECRET is')
  if (key === undefined) throw new ConfigError('WEBHOOK_SECRET must be set when WEBHOOK_URL is')
  return { url, key: () => key }
}

function emailOf({
  SMTP_URL: server,
  EMAIL_FROM: from,
  EMAIL_TO: to,
  EMAIL_EVENTS: events,
}: Environment): NotificationSettings['email'] {
  const missing = Object.entries({ SMTP_URL: server, EMAIL_FROM: from, EMAIL_TO: to }).filter(([, value]) => !value)
  if (missing.length === 3) return undefined
  if (!server || !from || !to)
    throw new ConfigError(
      missing.map(([name]) => `${name} must be set when one of SMTP_URL, EMAIL_FROM and EMAIL_TO is`).join('\n'),
    )
  return { server, from, to, events }
}
