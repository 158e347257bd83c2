import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Offer } from '../../functions/offer.ts'
import { makeOffers } from '../../functions/offers.ts'
import siteConfig from '../../site.config.ts'
import { openBackups } from '../backups/make-backup.ts'
import { network } from '../chain-constants.ts'
import type { Config } from '../config.ts'
import { toBazaar, toToolBazaar } from '../discovery/bazaar.ts'
import { toDurationText } from '../durations.ts'
import { toPressStatus } from '../jobs/press-status.ts'
import { type Log, toLogText } from '../log.ts'
import { openOauth } from '../oauth/open-oauth.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeOperatorTools } from '../oauth/operator-tools.ts'
import { type ChainOracle, makeChainOracle } from '../payments/chain-oracle.ts'
import type { Facilitator } from '../payments/facilitator-client.ts'
import type { Ledger } from '../payments/ledger.ts'
import { openPayments } from '../payments/open-payments.ts'
import { makeProductStore, type ProductStore } from '../payments/product-store.ts'
import type { Make } from '../payments/sell.ts'
import { Problem, toProblemResponse } from '../problem.ts'
import { makeHeardPosts } from '../publishing/podcast/heard-posts.ts'
import { skillSchema } from '../publishing/skill.ts'
import { readSecret } from '../read-secret.ts'
import { openSearchIndex } from '../search/open-search-index.ts'
import { makeTranscriptSearch } from '../search/transcripts/search-transcripts.ts'
import { makeSalesStatistics } from '../stats/sales-statistics.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { type BuildFacts, buildFiles, loadBuild, loadHandler } from './build-folder.ts'
import { makeClientAddress } from './client-address.ts'
import { createFront, type PlainHandler } from './front.ts'
import { makeMeter } from './meter.ts'
import { openFacilitator } from './open-facilitator.ts'
import { openMcp } from './open-mcp.ts'
import { openNarration } from './open-narration.ts'
import { openPressJobs } from './open-press-jobs.ts'
import { openWorkshop } from './open-workshop.ts'
import { makeOwnFacilitatorCheck } from './own-facilitator.ts'
import { makeRateLimits } from './rate-limits.ts'
import { makeReadiness, type Readiness } from './readiness.ts'
import type { Services } from './services.ts'
import { watchEventLoop } from './watch-event-loop.ts'

export interface Site {
  /** Not listening yet. */
  server: Server
  /** Once the site answers: from now on jobs run when they are due, beside everything else. */
  startJobs: () => void
  /** Before the last request: ends what would outlast it. */
  beginClose: () => void
  /** When time runs out: from now on no money moves that does not move yet. */
  settleNoMore: () => void
  /** After the last request: waits for jobs and closes the ledger. */
  close: () => Promise<void>
}

/** Tests put failures between the site and a part of it here: each gets the true part and returns what is used. */
export interface Through {
  readonly ledger: (ledger: Ledger) => Ledger
  readonly facilitator: (facilitator: Facilitator) => Facilitator
  readonly oracle: (oracle: ChainOracle) => ChainOracle
  readonly products: (products: ProductStore) => ProductStore
  readonly make: (make: Make) => Make
}

const asItIs = <Part>(part: Part): Part => part
const straight: Through = { ledger: asItIs, facilitator: asItIs, oracle: asItIs, products: asItIs, make: asItIs }

/**
 * Opens everything the site program needs: ledger, facilitator, witness, the gate in each handler, and the front
 * server over one finished build. Unfinished payments of an earlier life are reconciled before it returns.
 *
 * @throws StorageError when the ledger cannot be used; Error when the build was made for another wallet or address
 */
export async function openSite(
  config: Config,
  buildFolder: string,
  log: Log,
  through: Through = straight,
): Promise<Site> {
  // Astro's endpoints bring a listener of their own that swallows what nobody awaited.
  process.on('unhandledRejection', (error) => log('server.error', { error: toLogText(error) }))
  const build = loadBuild(buildFolder)
  assertBuiltFor(config, build.facts)
  const dataDir = resolve(config.dataDir)
  const { privateTexts } = buildFiles(buildFolder)
  const stopping = new AbortController()
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  const facilitator = through.facilitator(openFacilitator(config))
  const offers = makeOffers(readSkills(privateTexts))
  const statistics = makeSalesStatistics({
    db,
    ownWallets: config.ownWallets,
    isMarketplace: (offerId) => !offerId.startsWith('store/'),
    now: Date.now,
  })
  const loop = watchEventLoop({ onChange: (isBusy, delayMs) => log('server.busy', { isBusy, delayMs }) })
  const limits = makeRateLimits({ exemptsLoopback: !config.limitsLoopback, now: () => performance.now() })
  const payments = openPayments({
    db,
    products: through.products(makeProductStore(join(dataDir, 'products'))),
    facilitator,
    oracle: through.oracle(makeChainOracle(config.rpcUrl)),
    wallet: { payTo: config.payTo, asset: config.asset },
    baseUrl: config.baseUrl,
    serviceName: siteConfig.name,
    secret: config.secret() ?? readSecret(join(dataDir, 'payments.key')),
    advertise: (offer) => ({ bazaar: toBazaar(offer) }),
    advertiseTool: (offer, tool) => ({ bazaar: toToolBazaar(offer, tool) }),
    log,
    onSale: statistics.renew,
    countAgainst: (caller, cost) => limits.charge(caller, 'failed-payments', cost),
    isOverloaded: loop.isBusy,
    throughLedger: through.ledger,
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
  const workshop = await openWorkshop({ config, dataDir, privateFolder: privateTexts, episodes, offers, log })
  const findMake = (offer: Offer): Make | undefined => {
    const make = workshop.find(offer)
    return make && through.make(make)
  }
  const handlers = new Map(offers.map((offer) => [offer.id, payments.gate(offer, findMake(offer))]))
  const checkReadiness = makeReadiness({
    db,
    facilitator,
    isSettling: payments.isSettling,
    askOwn: makeOwnFacilitatorCheck(config.facilitator),
  })
  const shown: Omit<Services, 'mcp'> = {
    paid: (offerId) => handlers.get(offerId) ?? (async () => shown.problem('not-found')),
    receipt: payments.receipts.find,
    statistics: statistics.read,
    search: search.search,
    episodes,
    heardPosts: makeHeardPosts(privateTexts, episodes),
    voices: () => workshop.list,
    voiceSamples: workshop.samples,
    searchTranscripts: makeTranscriptSearch(episodes, config.baseUrl),
    cronHealth: jobs.health,
    status: async () =>
      toPressStatus({
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
    handler: await loadHandler(build),
    services,
    quotes: payments.quoteTable(offers),
    meter: makeMeter({
      limits,
      addressOf: clientAddress,
      isKnownPayment: payments.isKnown,
    }),
    health: { healthz, readyz: toReadyz(checkReadiness) },
    oauth: oauth.handle,
    clientAddress,
    log,
    signal: stopping.signal,
  })

  const open = await payments.reconcile()
  if (open > 0) log('sale.open', { count: open })
  return {
    server,
    startJobs: jobs.start,
    beginClose: () => stopping.abort(),
    settleNoMore: payments.settleNoMore,
    async close() {
      stopping.abort()
      await jobs.close()
      narration.close()
      await payments.idle()
      await workshop.close()
      search.close()
      loop.close()
      await oauthDb.destroy()
      await db.destroy()
    },
  }
}

function healthz(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end('{"ok":true}')
}

const toReadyz =
  (check: () => Promise<Readiness>): PlainHandler =>
  async (_, response) => {
    const readiness = await check()
    response
      .writeHead(readiness.ready ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(readiness))
  }

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
