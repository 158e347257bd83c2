import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import siteConfig from '../../site.config.ts'
import type { Config } from '../config/config.ts'
import { ownFacilitator } from '../config/facilitators.ts'
import { type Log, toLogText } from '../core/log.ts'
import { findCrawlerFacts } from '../crawlers/find-crawler-facts.ts'
import { toBazaar, toToolBazaar } from '../discovery/bazaar.ts'
import { askOwnFacilitator } from '../health/own-facilitator.ts'
import { makeClientAddress } from '../http/client-address.ts'
import { makeLimiter } from '../http/limiter.ts'
import { toNodeRoute } from '../http/node-handle.ts'
import { returnMemory } from '../http/return-memory.ts'
import { keepFiles } from '../http/static/keep-files.ts'
import { watchEventLoop } from '../http/watch-event-loop.ts'
import { makeLedgerMetrics } from '../metrics/ledger-metrics.ts'
import { makeMetricsAnswer } from '../metrics/metrics-answer.ts'
import { makePaymentMetrics } from '../metrics/payment-metrics.ts'
import { openProcessMetrics } from '../metrics/process-metrics.ts'
import { findProducts } from '../offers/find-products.ts'
import type { Make } from '../offers/make.ts'
import type { Offer } from '../offers/offer.ts'
import { type LibraryOptions, openLibrary } from '../owners/open-library.ts'
import { openBlockList } from '../payments/block-list.ts'
import { type ChainOracle, makeChainOracle } from '../payments/chain/chain-oracle.ts'
import { openQuoteCounter } from '../payments/count-quotes.ts'
import type { Facilitator } from '../payments/facilitator/facilitator-client.ts'
import type { Ledger } from '../payments/ledger/ledger.ts'
import type { ProductStore } from '../payments/ledger/product-store.ts'
import { openPayments } from '../payments/open-payments.ts'
import { makeDidRoute, publishKey } from '../payments/proof/published-keys.ts'
import { readReceiptKey } from '../payments/proof/receipt-key.ts'
import { makeReceiptSigner } from '../payments/proof/receipt-signer.ts'
import { makeFindTemplate } from '../routes/find-template.ts'
import { makeTestWalletRoute } from '../sandbox/test-wallet-route.ts'
import { makeSalesStatistics } from '../stats/sales-statistics.ts'
import type { Build } from '../storage/build-folder.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { readPreviewSecret } from '../storage/preview-link.ts'
import { readSecret } from '../storage/read-secret.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { makeCrawlerWork } from './crawler-work.ts'
import { makeHealthRoutes } from './health-routes.ts'
import { makeJobHealthRoute } from './job-health-route.ts'
import { makeMetricsRoute } from './metrics-route.ts'
import { makeMirrorRoute } from './mirror-route.ts'
import { openAudience } from './open-audience.ts'
import { openEngines, productsRoot } from './open-engines.ts'
import { openFacilitator } from './open-facilitator.ts'
import { openLimits } from './open-limits.ts'
import { openNarration } from './open-narration.ts'
import { openNotifications } from './open-notifications.ts'
import { openOperator } from './open-operator.ts'
import { openPictures } from './open-pictures.ts'
import { openPressHealth } from './open-press-health.ts'
import { openPressJobs } from './open-press-jobs.ts'
import { openOtherRails, toWallet } from './open-rails.ts'
import { openSiblings } from './open-siblings.ts'
import { clearStorage, openProducts, openShopBackups, openStorage, seeBackups } from './open-storage.ts'
import { makePublishWork } from './publish-work.ts'
import { runBuildCommand } from './run-build-command.ts'
import { shareBlocks, shareSales } from './share-changes.ts'
import { makeSignaturesRoute } from './signatures-route.ts'
import { makeSiteMetrics } from './site-metrics.ts'

/**
 * Lets tests put failures between the site and a part of it: each function gets the real part and returns the one to
 * use.
 */
export interface Wrappers {
  readonly ledger: (ledger: Ledger) => Ledger
  readonly facilitator: (facilitator: Facilitator) => Facilitator
  readonly oracle: (oracle: ChainOracle) => ChainOracle
  readonly products: (products: ProductStore) => ProductStore
  readonly make: (make: Make) => Make
}

/**
 * Opens what outlives every build: the ledger with its open payments, the facilitator, the chain oracle, limits, jobs,
 * sign-ins, narrations and the engines that products are made with.
 *
 * @throws StorageError when the ledger cannot be used
 */
export async function openPress(config: Config, log: Log, wrap: Wrappers) {
  const dataDir = resolve(config.dataDir)
  const stopping = new AbortController()
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'), config.databaseUrl())
  const siblings = await openSiblings(config.databaseUrl(), log)
  const products = await findProducts(productsRoot)
  const statistics = makeSalesStatistics({
    db,
    ownWallets: config.ownWallets,
    now: Date.now,
  })
  const loop = watchEventLoop({ onChange: (isBusy, delayMs) => log('server.busy', { isBusy, delayMs }) })
  let offers: readonly Offer[] = []
  const sold = makePaymentMetrics({ products: () => offers.map(({ id }) => id) })
  const facilitator = wrap.facilitator(openFacilitator(config, { asked: sold.meters.asked, siblings }))
  const processMetrics = openProcessMetrics()
  const tracing = openTracing({
    config: config.tracing,
    program: 'farthing-site',
    routeOf: makeFindTemplate('site', () => offers.map(({ path }) => path)),
    log,
  })
  const report = (error: unknown) => log('server.error', { error: toLogText(error) })
  const { limits, hear, close: closeLimits } = openLimits(config, siblings, report)
  const blocks = await openBlockList({ db, report, others: shareBlocks(siblings) })
  const told = openQuoteCounter({ db, now: Date.now, report })
  const receiptKey = readReceiptKey({ dataDir, secret: config.secret() })
  await publishKey(db, receiptKey, Date.now)
  const signer = makeReceiptSigner(receiptKey, config)
  const memory = returnMemory()
  const storage = await openStorage(config, db)
  const store = wrap.products(await openProducts(dataDir, storage))
  const payments = openPayments({
    db,
    signer,
    products: store,
    facilitator,
    oracle: wrap.oracle(makeChainOracle(config.rpcUrl)),
    others: openOtherRails(config, { asked: sold.meters.asked, siblings }),
    wallet: toWallet(config),
    baseUrl: config.baseUrl,
    shopName: siteConfig.name,
    secret: config.secret() ?? readSecret(join(dataDir, 'payments.key')),
    advertise: (offer) => ({ bazaar: toBazaar(offer) }),
    advertiseTool: (offer, tool) => ({ bazaar: toToolBazaar(offer, tool) }),
    log,
    onSale: shareSales(siblings, statistics),
    meters: told.along(sold.meters),
    isBlocked: blocks.isBlocked,
    trace: tracing.trace,
    countAgainst: (caller, cost) => limits.charge(caller, 'failed-payments', cost),
    isOverloaded: loop.isBusy,
    takePlace: siblings?.takePlace,
    wrapLedger: wrap.ledger,
  })
  const narration = await openNarration({
    ...{ dataDir, storage, log },
    narrates: config.narrates,
    voice: config.engines.voice,
    niceness: config.niceness,
  })
  const backups = await openShopBackups(config, storage)
  const seen = seeBackups(config, storage?.quick)
  const duePosts = makePublishWork({
    prepare: (signal, at) => runBuildCommand(signal, config.niceness, ['--as-of', at]),
    build: (signal) => runBuildCommand(signal, config.niceness),
    now: Date.now,
    wait: (ms, signal) => delay(ms, undefined, { signal }),
  })
  const engines = await openEngines({ config, dataDir, storage, log })
  const { guardedFetch } = engines
  const pictures = openPictures({ dataDir, niceness: config.niceness, log, signal: stopping.signal })
  const audience = await openAudience({ config, db, guardedFetch, siblings, limits, report, signal: stopping.signal })
  const jobs = openPressJobs({
    clear: () => clearStorage(storage),
    db,
    payments,
    backups,
    scan: narration.scan,
    publish: duePosts.work,
    checkCrawlers: makeCrawlerWork(guardedFetch, { asksOutside: config.mode === 'live' }),
    audience: audience.works,
    log,
    signal: stopping.signal,
  })
  const health = openPressHealth({
    ...{ config, db, payments, jobs, log },
    backups: config.runsJobs ? seen : undefined,
    objects: storage?.quick,
  })
  const own = ownFacilitator(config)
  const askOwn = own && askOwnFacilitator(own.url)
  const notifications = await openNotifications({ config, db, askOwn, log, signal: stopping.signal })
  const { slotsInUse, underWay, isSettling } = payments
  const ofSite = { dataDir, offers: () => offers, slotsInUse, underWay, isSettling, askOwn, findings: health.findings }
  const metrics = [
    ...processMetrics.metrics,
    ...sold.metrics,
    ...makeLedgerMetrics(db),
    ...makeSiteMetrics({
      ...ofSite,
      endedRuns: jobs.ended,
      waitingWebhooks: notifications.waitingWebhooks,
      waitingEmails: notifications.waitingEmails,
    }),
  ]
  const operator = await openOperator({
    ...{ config, dataDir, db, jobs, blocks, signer, log, report },
    mentions: audience.mentions,
    backups: seen,
    writeQuotes: told.flush,
    findTroubles: async () => (await health.status()).troubles,
    signal: stopping.signal,
  })
  const clientAddress = makeClientAddress(config.trustedProxies, (note) => log('server.note', { note }))
  return {
    config,
    log,
    payments,
    /** Opens the library of what wallets own, for the offers of one build. */
    openLibrary: (parts: Pick<LibraryOptions, 'offers' | 'findMake'>) =>
      openLibrary({ ...payments.forLibrary, ...parts, db, products: store, baseUrl: config.baseUrl, now: Date.now }),
    statistics,
    narration,
    duePosts,
    jobs,
    engines,
    /** The latest answers from operators of crawlers. */
    crawlerFacts: () => findCrawlerFacts(db),
    /** All products in `functions/`, as the code of this process declares them. */
    products,
    wrapMake: wrap.make,
    /** The secret of the preview links to unpublished posts. */
    previewSecret: readPreviewSecret(config),
    operator: operator.access,
    /** Wraps a request listener with tracing. */
    traced: tracing.listen,
    limiter: makeLimiter({ limits, addressOf: clientAddress, isKnownPayment: payments.isKnown, hear }),
    clientAddress,
    mentions: audience.mentions.shown,
    newsletter: audience.newsletterForm,
    /** The pictures that builds left to the site. */
    pictures,
    /** The cache of requested files of all builds. */
    keptFiles: keepFiles(),
    /** Whether the operator has blocked an address. */
    isBlocked: (caller: string): boolean => blocks.isBlocked({ caller }),
    routes: [
      ...makeHealthRoutes(health.checkReadiness).map(toNodeRoute),
      toNodeRoute(makeJobHealthRoute(jobs)),
      makeMetricsRoute(makeMetricsAnswer({ metrics, token: config.metricsToken(), report })),
      toNodeRoute(makeDidRoute(db, config.baseUrl, receiptKey)),
      makeMirrorRoute(config),
      ...(config.mode === 'sandbox' ? [toNodeRoute(makeTestWalletRoute(config.asset))] : []),
      makeSignaturesRoute(engines.signatures),
      ...audience.routes,
      ...operator.routes,
    ],
    /**
     * Call it for each build that is served from now on: updates the offers, and starts to draw its pictures and to
     * notify readers.
     */
    serve({ build, offers: now }: { readonly build: Build; readonly offers: readonly Offer[] }): void {
      offers = now
      pictures.serve(build)
      audience.serve(build)
    },
    noteBuild: health.noteBuild,
    /** Call it once everything is open: starts the health checks and the notifications. */
    start(): void {
      loop.start()
      health.start()
      notifications.start()
    },
    /** The status of the whole press, for people. */
    status: health.status,
    /** Aborted when the program stops; for work that would outlast the last request. */
    stopping: stopping.signal,
    stop: (): void => stopping.abort(),
    /** Call it after the last request: waits for jobs, and for purchases whose buyers have left. */
    async idle(): Promise<void> {
      stopping.abort()
      health.close()
      await jobs.close()
      await notifications.close()
      narration.close()
      await pictures.close()
      await operator.idle()
      await payments.idle()
      await tracing.close()
      await blocks.close()
      await audience.close()
      await told.close()
    },
    /** Call it when nothing uses the press any more. */
    async close(): Promise<void> {
      await engines.close()
      loop.close()
      memory.close()
      processMetrics.close()
      await operator.close()
      await closeLimits()
      await siblings?.close()
      await db.destroy()
    },
  }
}

export type Press = Awaited<ReturnType<typeof openPress>>
