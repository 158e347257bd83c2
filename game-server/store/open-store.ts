import { join } from 'node:path'
import siteConfig from '../../site.config.ts'
import type { Config } from '../../src/config/config.ts'
import { toLogText } from '../../src/core/log.ts'
import { toBazaar } from '../../src/discovery/bazaar.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { openPayments, type PaymentsOptions } from '../../src/payments/open-payments.ts'
import { makeDidRoute, publishKey } from '../../src/payments/proof/published-keys.ts'
import { readReceiptKey } from '../../src/payments/proof/receipt-key.ts'
import { makeReceiptSigner } from '../../src/payments/proof/receipt-signer.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
import { makeAccounts } from './accounts.ts'
import { makeCredits } from './credits.ts'
import { makeEntitlements } from './entitlements.ts'
import type { Claim } from './purchase-turns.ts'
import { makeStoreRoutes } from './store-routes.ts'

const reconcileEveryMs = 15_000

interface StoreOptions
  extends Pick<
    PaymentsOptions,
    | 'db'
    | 'facilitator'
    | 'oracle'
    | 'log'
    | 'now'
    | 'countAgainst'
    | 'isBlocked'
    | 'isOverloaded'
    | 'settleWaitMs'
    | 'meters'
    | 'trace'
  > {
  config: Pick<Config, 'baseUrl' | 'gameUrl' | 'payTo' | 'asset' | 'alsoAccepts' | 'secret'>
  /** Absolute path. */
  dataDir: string
  /** Whether the operator has reserved a name. */
  isKept: (key: string) => boolean
  /** The lock across hosts, where several share the database. */
  claim?: Claim | undefined
}

/**
 * Opens the store and the accounts of players. Payments that were unfinished when the host last stopped are reconciled
 * before it returns.
 *
 * @throws Error when a product would change play
 */
export async function openStore({ config, dataDir, isKept, claim, ...shared }: StoreOptions) {
  const { db, log, now = Date.now } = shared
  const wallet = { payTo: config.payTo, asset: config.asset, also: config.alsoAccepts }
  const receiptKey = readReceiptKey({ dataDir, secret: config.secret() })
  await publishKey(db, receiptKey, now)
  const payments = openPayments({
    ...shared,
    signer: makeReceiptSigner(receiptKey, config),
    products: makeProductStore(join(dataDir, 'products')),
    wallet,
    baseUrl: config.baseUrl,
    sellerUrl: config.gameUrl,
    shopName: siteConfig.name,
    secret: config.secret() ?? readSecret(join(dataDir, 'payments.key')),
    advertise: (offer) => ({ bazaar: toBazaar(offer) }),
  })
  const accounts = makeAccounts({ db, now })
  const credits = makeCredits({ db, now })
  const entitlements = makeEntitlements({ db })
  const secret = config.secret() ?? readSecret(join(dataDir, 'resume-tokens.key'))
  const routes = [
    ...makeStoreRoutes({
      db,
      gate: payments.gate,
      accounts,
      credits,
      entitlements,
      secret,
      wallet,
      isKept,
      now,
      claim,
    }),
    makeDidRoute(db, config.gameUrl, receiptKey),
  ]

  await payments.reconcile()
  const closing = new AbortController()
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    // With a slow RPC one run may take longer than the interval.
    running ??= payments
      .reconcile({ signal: closing.signal })
      .then(() => {})
      .catch((error: unknown) => log('server.error', { error: toLogText(error) }))
      .finally(() => {
        running = undefined
      })
  }, reconcileEveryMs)
  return {
    accounts,
    credits,
    entitlements,
    routes,
    isKnownPayment: payments.isKnown,
    settleNoMore: payments.settleNoMore,
    isSettling: payments.isSettling,
    underWay: payments.underWay,
    /**
     * Call it after the last request; it waits for payments under way and for the payment that is being reconciled,
     * and does not close the ledger.
     */
    async close(): Promise<void> {
      clearInterval(timer)
      closing.abort()
      await Promise.all([payments.idle(), running])
    },
  }
}
