import { join } from 'node:path'
import siteConfig from '../../site.config.ts'
import type { Config } from '../../src/config.ts'
import { toBazaar } from '../../src/discovery/bazaar.ts'
import { type Log, toLogText } from '../../src/log.ts'
import type { ChainOracle } from '../../src/payments/chain-oracle.ts'
import type { Facilitator } from '../../src/payments/facilitator-client.ts'
import { openPayments } from '../../src/payments/open-payments.ts'
import { makeProductStore } from '../../src/payments/product-store.ts'
import { readSecret } from '../../src/read-secret.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { makeAccounts } from './accounts.ts'
import { makeCredits } from './credits.ts'
import { makeEntitlements } from './entitlements.ts'
import { makeStoreRoutes } from './store-routes.ts'

const reconcileEveryMs = 15_000

interface StoreOptions {
  config: Pick<Config, 'baseUrl' | 'gameUrl' | 'payTo' | 'asset' | 'secret'>
  /** Absolute path. */
  dataDir: string
  db: LedgerDatabase
  facilitator: Facilitator
  oracle: ChainOracle
  log: Log
  /** Whether the operator keeps a name that nobody has. */
  isKept: (key: string) => boolean
  now?: () => number
  /** Counts what nobody paid for against the address that asked for it. */
  countAgainst?: (caller: string, cost: number) => void
  /** Whether new work would make everybody wait. */
  isOverloaded?: () => boolean
  /** Milliseconds a request waits for the chain; 6 seconds when absent. */
  settleWaitMs?: number
}

/**
 * Opens what the game host sells, and who its players are. Payments that an earlier life left unfinished are looked
 * after before it returns.
 *
 * @throws Error when a product would change play
 */
export async function openStore(options: StoreOptions) {
  const {
    config,
    dataDir,
    db,
    facilitator,
    oracle,
    log,
    isKept,
    isOverloaded,
    countAgainst,
    settleWaitMs = 6000,
    now = Date.now,
  } = options
  const wallet = { payTo: config.payTo, asset: config.asset }
  const payments = openPayments({
    db,
    products: makeProductStore(join(dataDir, 'products')),
    facilitator,
    oracle,
    wallet,
    baseUrl: config.baseUrl,
    sellerUrl: config.gameUrl,
    serviceName: siteConfig.name,
    secret: config.secret() ?? readSecret(join(dataDir, 'payments.key')),
    advertise: (offer) => ({ bazaar: toBazaar(offer) }),
    log,
    settleWaitMs,
    now,
    ...(isOverloaded && { isOverloaded }),
    ...(countAgainst && { countAgainst }),
  })
  const accounts = makeAccounts({ db, now })
  const credits = makeCredits({ db, now })
  const entitlements = makeEntitlements({ db })
  const secret = config.secret() ?? readSecret(join(dataDir, 'resume-tokens.key'))
  const routes = makeStoreRoutes({ db, gate: payments.gate, accounts, credits, entitlements, secret, wallet, isKept })

  await payments.reconcile()
  const timer = setInterval(() => {
    payments.reconcile().catch((error: unknown) => log('server.error', { error: toLogText(error) }))
  }, reconcileEveryMs)
  return {
    accounts,
    credits,
    entitlements,
    routes,
    isKnownPayment: payments.isKnown,
    settleNoMore: payments.settleNoMore,
    isSettling: payments.isSettling,
    /** After the last request; the ledger is closed by whoever opened it. */
    async close(): Promise<void> {
      clearInterval(timer)
      await payments.idle()
    },
  }
}
