import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { openEmails } from '../email/open-emails.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { openWebhooks } from '../webhooks/open-webhooks.ts'
import { watchGas } from './watch-gas.ts'

interface Options {
  readonly config: Pick<Config, 'webhook' | 'email' | 'baseUrl'>
  readonly db: LedgerDatabase
  readonly askOwn: Parameters<typeof watchGas>[0]['askOwn']
  readonly log: Log
  readonly signal: AbortSignal
}

/** Opens the notifications to the operator about sales, failed jobs and low gas, by webhooks and e-mails. */
export async function openNotifications({ config, db, askOwn, log, signal }: Options) {
  const { webhook: receiver, email, baseUrl } = config
  const shared = { db, now: Date.now, log, signal }
  const webhooks = await openWebhooks({ ...shared, receiver })
  const emails = await openEmails({ ...shared, email, baseUrl })
  const stopWatchingGas = watchGas({ db, askOwn, now: Date.now, log })
  return {
    waitingWebhooks: webhooks.countWaiting,
    waitingEmails: emails.countWaiting,
    start(): void {
      webhooks.start()
      emails.start()
    },
    async close(): Promise<void> {
      stopWatchingGas()
      await webhooks.close()
      await emails.close()
    },
  }
}
