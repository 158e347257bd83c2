import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import siteConfig from '../../site.config.ts'
import { openBackups } from '../backups/make-backup.ts'
import type { Config } from '../config/config.ts'
import { network } from '../core/chain-constants.ts'
import { toDurationText } from '../core/durations.ts'
import { type Log, toLogText } from '../core/log.ts'
import { Problem, toProblemResponse } from '../core/problem.ts'
import { toBazaar, toToolBazaar } from '../discovery/bazaar.ts'
import { makeHeardPosts } from '../feeds/podcast/heard-posts.ts'
import { openHealth } from '../health/open-health.ts'
import { askOwnFacilitator } from '../health/own-facilitator.ts'
import { makeClientAddress } from '../http/client-address.ts'
import { makeLimiter } from '../http/limiter.ts'
import { toNodeRoute } from '../http/node-handle.ts'
import { makeRateLimits } from '../http/rate-limits.ts'
import { watchEventLoop } from '../http/watch-event-loop.ts'
import { toSiteStatus } from '../jobs/site-status.ts'
import { makeLedgerMetrics } from '../metrics/ledger-metrics.ts'
import { makeMetricsAnswer } from '../metrics/metrics-answer.ts'
import { makePaymentMetrics } from '../metrics/payment-metrics.ts'
import { openProcessMetrics } from '../metrics/process-metrics.ts'
import { openOauth } from '../oauth/open-oauth.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeOperatorTools } from '../oauth/operator-tools.ts'
import { findProducts } from '../offers/find-products.ts'
import type { Make } from '../offers/make.ts'
import type { Offer } from '../offers/offer.ts'
import { toOffers } from '../offers/products.ts'
import { skillSchema } from '../offers/skill.ts'
import { type ChainOracle, makeChainOracle } from '../payments/chain/chain-oracle.ts'
import type { Facilitator } from '../payments/facilitator/facilitator-client.ts'
import type { Handler } from '../payments/gate.ts'
import type { Ledger } from '../payments/ledger/ledger.ts'
import { makeProductStore, type ProductStore } from '../payments/ledger/product-store.ts'
import { openPayments } from '../payments/open-payments.ts'
import { openSearchIndex } from '../search/open-search-index.ts'
import { makeTranscriptSearch } from '../search/transcripts/search-transcripts.ts'
import { makeSalesStatistics } from '../stats/sales-statistics.ts'
import { type BuildFacts, buildFiles, loadBuild } from '../storage/build-folder.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { readSecret } from '../storage/read-secret.ts'
import { openWebhooks } from '../webhooks/open-webhooks.ts'
import { type AstroHandler, loadHandler } from './astro-handler.ts'
import { createFront } from './front.ts'
import { makeHealthRoutes } from './health-routes.ts'
import { makeMetricsRoute } from './metrics-route.ts'
import { openEngines, productsRoot } from './open-engines.ts'
import { openFacilitator } from './open-facilitator.ts'
import { openMcp } from './open-mcp.ts'
import { openNarration } from './open-narration.ts'
import { openPressJobs } from './open-press-jobs.ts'
import { makeReadiness } from './readiness.ts'
import type { Services } from './services.ts'
import { makeSiteMetrics } from './site-metrics.ts'
import { watchGas } from './watch-gas.ts'

/** Tests put failures between the site and a part of it here: each gets the true part and returns what is used. */
export interface Wrappers {
  readonly ledger: (ledger: Ledger) => Ledger
  readonly facilitator: (facilitator: Facilitator) => Facilitator
  readonly oracle: (oracle: ChainOracle) => ChainOracle
  readonly products: (products: ProductStore) => ProductStore
  readonly make: (make: Make) => Make
}

const asItIs = <Part>(part: Part): Part => part
const unwrapped: Wrappers = { ledger: asItIs, facilitator: asItIs, oracle: asItIs, products: asItIs, make: asItIs }

/**
 * Opens everything the site program needs: ledger, facilitator, witness, the gate in each handler, and the front
 * server over one finished build. Unfinished payments of an earlier life are reconciled before it returns. `handler`
 * renders pages in place of the build's own.
 *
 * @throws StorageError when the ledger cannot be used; Error when the build was made for another wallet or address
 */
export async function openSite(
  config: Config,
  buildFolder: string,
  log: Log,
  wrap: Wrappers = unwrapped,
  handler?: AstroHandler,
) {
  const logRejection = (error: unknown) => log('server.error', { error: toLogText(error) })
  // Astro's endpoints bring a listener of their own that swallows what nobody awaited.
  process.on('unhandledRejection', logRejection)
  const build = loadBuild(buildFolder)
  assertBuiltFor(config, build.facts)
  const dataDir = resolve(config.dataDir)
  const { privateTexts } = buildFiles(buildFolder)
  const stopping = new AbortController()
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  const facilitator = wrap.facilitator(openFacilitator(config))
  const skills = readSkills(privateTexts)
  const products = await findProducts(productsRoot)
  const offers = toOffers(products, skills)
  const statistics = makeSalesStatistics({
    db,
    ownWallets: config.ownWallets,
    now: Date.now,
  })
  const loop = watchEventLoop({ onChange: (isBusy, delayMs) => log('server.busy', { isBusy, delayMs }) })
  const limits = makeRateLimits({ exemptsLoopback: !config.limitsLoopback, now: () => performance.now() })
  const sold = makePaymentMetrics()
  const processMetrics = openProcessMetrics()
  const payments = openPayments({
    db,
    products: wrap.products(makeProductStore(join(dataDir, 'products'))),
    facilitator,
    oracle: wrap.oracle(makeChainOracle(config.rpcUrl)),
    wallet: { payTo: config.payTo, asset: config.asset },
    baseUrl: config.baseUrl,
    serviceName: siteConfig.name,
    secret: config.secret() ?? readSecret(join(dataDir, 'payments.key')),
    advertise: (offer) => ({ bazaar: toBazaar(offer) }),
    advertiseTool: (offer, tool) => ({ bazaar: toToolBazaar(offer, tool) }),
    log,
    onSale: statistics.renew,
    meters: sold.meters,
    countAgainst: (caller, cost) => limits.charge(caller, 'failed-payments', cost),
    isOverloaded: loop.isBusy,
    wrapLedger: wrap.ledger,
  })
  const narration = await openNarration({ dataDir, privateFolder: privateTexts, narrates: config.narrates, log })
  const { episodes } = narration
  const backups = openBackups({ dataDir, folder: resolve(config.backupDir), now: Date.now })
  const jobs = openPressJobs({ db, payments, backups, scan: narration.scan, log, signal: stopping.signal })
  const search = openSearchIndex(buildFiles(buildFolder).search, {
    narrationOf(slug) {
      const episode = episodes.find(slug)
      return episode && { duration: toDurationText(episode.durationMs) }
    },
  })
  const engines = await openEngines({ config, dataDir, privateFolder: privateTexts, episodes, products, skills, log })
  const findMake = (offer: Offer): Make | undefined => {
    const make = engines.makes.get(offer.id)
    return make && wrap.make(make)
  }
  const handlers = new Map<string, Handler>(offers.map((offer) => [offer.path, payments.gate(offer, findMake(offer))]))
  const health = openHealth({ config, watchesBackups: config.runsJobs, log })
  const checkReadiness = makeReadiness({ db, isSettling: payments.isSettling, health })
  const askOwn = config.facilitator.is === 'remote' ? undefined : askOwnFacilitator(config.facilitator.url)
  const { webhook: receiver } = config
  const webhooks = await openWebhooks({ db, receiver, now: Date.now, log, signal: stopping.signal })
  const stopWatchingGas = watchGas({ db, askOwn, now: Date.now, log })
  const { slotsInUse, underWay, isSettling } = payments
  const ofSite = { dataDir, offers, slotsInUse, underWay, isSettling, askOwn }
  const metrics = [
    ...processMetrics.metrics,
    ...sold.metrics,
    ...makeLedgerMetrics(db),
    ...makeSiteMetrics({ ...ofSite, endedRuns: jobs.ended, waitingWebhooks: webhooks.countWaiting }),
  ]
  const shown: Omit<Services, 'mcp'> = {
    paid: (path) => handlers.get(path) ?? (async () => shown.problem('not-found')),
    receipt: payments.receipts.find,
    statistics: statistics.read,
    search: search.search,
    episodes,
    heardPosts: makeHeardPosts(privateTexts, episodes),
    voices: () => engines.list,
    voiceSamples: engines.samples,
    searchTranscripts: makeTranscriptSearch(episodes, config.baseUrl),
    cronHealth: jobs.health,
    status: async () =>
      toSiteStatus({
        readiness: await checkReadiness(),
        reversed: await payments.reversed(),
        runsJobs: config.runsJobs,
        jobs: await jobs.overview(),
        now: Date.now(),
      }),
    problem: (kind, options) =>
      toProblemResponse(new Problem(kind, options), { baseUrl: config.baseUrl, requestId: crypto.randomUUID() }),
  }
  const oauthDb = await openOauthDatabase(join(dataDir, 'oauth.db'))
  const oauth = openOauth({
    db: oauthDb,
    config,
    secret: config.secret() ?? readSecret(join(dataDir, 'oauth.key')),
    tools: makeOperatorTools({ db, jobs, now: Date.now }),
    log,
    now: Date.now,
  })
  const clientAddress = makeClientAddress(config.trustedProxies, (note) => log('server.note', { note }))
  const services: Services = {
    ...shown,
    mcp: openMcp({
      config,
      build,
      offers,
      services: shown,
      sell: (offer, tool) => payments.toolGate(offer, tool, findMake(offer)),
      operator: oauth.access,
      report: (error) => log('server.error', { error: toLogText(error) }),
    }),
  }
  const server = createFront({
    build,
    handler: handler ?? (await loadHandler(build)),
    services,
    quotes: payments.quoteTable(offers),
    limiter: makeLimiter({
      limits,
      addressOf: clientAddress,
      isKnownPayment: payments.isKnown,
    }),
    routes: [
      ...makeHealthRoutes(checkReadiness).map(toNodeRoute),
      makeMetricsRoute(makeMetricsAnswer({ metrics, token: config.metricsToken(), report: logRejection })),
      ...oauth.routes,
    ],
    clientAddress,
    log,
    signal: stopping.signal,
  })

  const open = await payments.reconcile()
  if (open > 0) log('sale.open', { count: open })
  health.start()
  webhooks.start()
  return {
    /** Not listening yet. */
    server,
    /** Once the site answers: from now on jobs run when they are due, beside everything else. */
    startJobs: jobs.start,
    /** Before the last request: ends what would outlast it. */
    beginClose: (): void => stopping.abort(),
    /** When time runs out: from now on no money moves that does not move yet. */
    settleNoMore: payments.settleNoMore,
    /** After the last request: waits for jobs and closes the ledger. */
    async close(): Promise<void> {
      stopping.abort()
      health.close()
      stopWatchingGas()
      await jobs.close()
      await webhooks.close()
      narration.close()
      await payments.idle()
      await engines.close()
      search.close()
      loop.close()
      processMetrics.close()
      await oauthDb.destroy()
      await db.destroy()
      process.off('unhandledRejection', logRejection)
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>

const readSkills = (privateFolder: string) =>
  z.array(skillSchema).parse(JSON.parse(readFileSync(join(privateFolder, 'skills.json'), 'utf8')))

/**
 * Pages and catalog carry wallet and addresses: serving them with others would quote one and charge another.
 *
 * @throws Error of one sentence that names what differs
 */
export function assertBuiltFor(config: Config, facts: BuildFacts): void {
  const running = { baseUrl: config.baseUrl, payTo: config.payTo, asset: config.asset, mode: config.mode, network }
  const wrong = Object.entries(running).filter(([name, value]) => value !== new Map(Object.entries(facts)).get(name))
  if (wrong.length > 0)
    throw new Error(
      `the built site was made for another ${wrong.map(([name]) => name).join(', ')}; run npm start, which builds it anew`,
    )
}
