import { join, resolve } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { type Log, toLogText } from '../../src/core/log.ts'
import { openHealth } from '../../src/health/open-health.ts'
import { makeClientAddress } from '../../src/http/client-address.ts'
import { makeLimiter } from '../../src/http/limiter.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'
import { returnMemory } from '../../src/http/return-memory.ts'
import { get, type Route } from '../../src/http/route.ts'
import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
import { watchEventLoop } from '../../src/http/watch-event-loop.ts'
import { makeFacilitatorMetric } from '../../src/metrics/facilitator-metric.ts'
import { makeLedgerMetrics } from '../../src/metrics/ledger-metrics.ts'
import { makeMetricsAnswer } from '../../src/metrics/metrics-answer.ts'
import { makePaymentMetrics } from '../../src/metrics/payment-metrics.ts'
import { openProcessMetrics } from '../../src/metrics/process-metrics.ts'
import { openBlockList } from '../../src/payments/block-list.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { openQuoteCounter } from '../../src/payments/count-quotes.ts'
import { makeFindTemplate } from '../../src/routes/find-template.ts'
import { makeTestWalletRoute } from '../../src/sandbox/test-wallet-route.ts'
import { makeHealthRoutes } from '../../src/site/health-routes.ts'
import { openMirror } from '../../src/site/mirror-route.ts'
import { openFacilitator } from '../../src/site/open-facilitator.ts'
import { makeReadiness } from '../../src/site/readiness.ts'
import { gameFiles } from '../../src/storage/build-folder.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { operatorSecretFile } from '../../src/storage/operator-secret-file.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import { makeDiscoveryRoutes } from '../api/discovery-routes.ts'
import { makeGameRoutes } from '../api/game-routes.ts'
import { makeHostRoutes } from '../api/host-routes.ts'
import { makeOperatorRoutes } from '../api/operator-routes.ts'
import { makeReceiptRoutes } from '../api/receipt-routes.ts'
import { sendAwayLate } from '../api/send-away.ts'
import { makeFindLive } from '../api/to-live.ts'
import { makeCupRecords } from '../cup/cup-records.ts'
import { makeCupRoutes } from '../cup/cup-routes.ts'
import { makeCups } from '../cup/cups.ts'
import { runCups } from '../cup/run-cups.ts'
import { openSharing } from '../hosts/open-sharing.ts'
import { answerForOther, makeFarSessions } from '../mcp/far-sessions.ts'
import { makeDocumentRoutes } from '../mcp/serve-documents.ts'
import { makeMcpRoutes } from '../mcp/serve-http.ts'
import { openModeration } from '../moderation/moderation.ts'
import { readAssets } from '../pages/assets.ts'
import { openDeathImages } from '../pages/death-images.ts'
import { answerNotFound } from '../pages/not-found-page.ts'
import { makePageRoutes } from '../pages/page-routes.ts'
import { makeFarDungeon } from '../sessions/far-dungeon.ts'
import { openGame } from '../sessions/game.ts'
import { makeLives } from '../sessions/lives.ts'
import { makeDungeon } from '../sessions/make-dungeon.ts'
import { makeAddressLimits } from '../sockets/address-limits.ts'
import { sendShout } from '../sockets/send-to-people.ts'
import { attachSockets, type Sockets } from '../sockets/serve-sockets.ts'
import { holdGame } from '../storage/hold-game.ts'
import { openGameDatabase } from '../storage/open-game-database.ts'
import { openStore } from '../store/open-store.ts'
import { makePaidResourcesRoute } from '../store/paid-resources-route.ts'
import { storeProducts } from '../store/products.ts'
import { makeWallRoute } from '../store/wall.ts'
import { makeAdmitMessages } from './admit-messages.ts'
import { makeGameMetrics } from './game-metrics.ts'
import { makeGameServer } from './http/make-game-server.ts'

/** How many keys one player may press. */
const inputLimits = { perSecond: 20, burst: 40 }
const maxPlayers = 20_000
const tidyEveryMs = 60_000
/** The niceness of the process that draws pictures of deaths, because others are playing meanwhile. */
const imageNiceness = 10

/**
 * Opens everything the game host needs. Realms that were in memory when it last died are restored before it returns.
 *
 * @throws StorageError when a database cannot be used
 * @throws Error when another host has the data folder, or the build is damaged
 */
export async function openGameHost(config: Config, buildFolder: string, log: Log) {
  const { baseUrl, gameUrl, wsUrl } = config
  const now = Date.now
  const dataDir = resolve(config.dataDir)
  const databaseUrl = config.databaseUrl()
  // Locked before anything is read, because another host may still be writing. Several may share a PostgreSQL database.
  const note = (text: string) => log('server.note', { note: text })
  const hold = databaseUrl === undefined ? await holdGame(dataDir, { note }) : undefined
  const ledger = await openLedgerDatabase(join(dataDir, 'ledger.db'), databaseUrl)
  const db = await openGameDatabase(join(dataDir, 'game.db'), databaseUrl)
  const path = new URL(wsUrl).pathname
  const report = (error: unknown) => log('server.error', { error: toLogText(error) })
  const sharing =
    databaseUrl === undefined
      ? undefined
      : await openSharing({ ...config, db, dataDir, secret: config.secret(), path, report })
  const { hosts, peers, askOthers } = sharing ?? {}
  const oracle = makeChainOracle(config.rpcUrl)
  const moderation = await openModeration(db, now)
  const isKept = (account: string) => moderation.remaining('reserve', account) > 0
  const health = openHealth({ config, log })
  const loop = watchEventLoop({ onChange: (isBusy, delayMs) => log('server.busy', { isBusy, delayMs }) })
  const isOverloaded = loop.isBusy
  const exemptsLoopback = !config.limitsLoopback
  const limits = makeRateLimits({ exemptsLoopback, now: () => performance.now() })
  const countAgainst = (caller: string, cost: number) => limits.charge(caller, 'failed-payments', cost)
  const products = storeProducts.map(({ offer }) => offer.id)
  const { meters: counted, metrics: sold } = makePaymentMetrics({ products: () => products })
  const { isBlocked, close: closeBlocks } = await openBlockList({ db: ledger, report })
  const told = openQuoteCounter({ db: ledger, now, report })
  const facilitator = openFacilitator(config, counted)
  const processMetrics = openProcessMetrics()
  const routeOf = makeFindTemplate('game', () => [])
  const tracing = openTracing({ config: config.tracing, program: 'farthing-game', routeOf, log })
  const { trace } = tracing
  const meters = told.along(counted)
  const limited = { isKept, countAgainst, isOverloaded, isBlocked, claim: hosts?.claim }
  const about = { config, dataDir, db: ledger, facilitator, oracle, log, meters, trace, ...limited }
  const memory = returnMemory()
  const store = await openStore(about)
  const { accounts, credits, entitlements } = store
  const cups = makeCups({ db: ledger, now })
  const game = await openGame({
    db,
    ledger,
    accounts,
    credits,
    entitlements,
    cups,
    moderation,
    log,
    now,
    maxPlayers,
    inputLimits,
    hosts,
  })
  const { client, manifest } = gameFiles(buildFolder)
  const place = {
    gameUrl,
    baseUrl,
    wsUrl,
    isSandbox: config.mode === 'sandbox',
    asset: readAssets(join(client, 'assets')),
  }
  const images = openDeathImages({ niceness: config.niceness(imageNiceness) })
  const cupRecords = makeCupRecords({ db: ledger, gameDb: db, now })
  const addressOf = makeClientAddress(config.trustedProxies, note)
  const addresses = makeAddressLimits({ exemptsLoopback, now })
  let sockets: Sockets | undefined
  const answerMetrics = makeMetricsAnswer({
    metrics: [
      ...processMetrics.metrics,
      ...sold,
      makeFacilitatorMetric(health.findings),
      ...makeLedgerMetrics(ledger),
      ...makeGameMetrics({ game, db, sockets: () => sockets?.count() ?? 0, underWay: store.underWay }),
    ],
    token: config.metricsToken(),
    report,
  })
  const look = openMirror(dataDir, gameUrl)
  let routes: readonly Route[] = []
  const server = makeGameServer({
    config,
    files: { client, manifest: readStaticManifest(manifest) },
    notFound: () => answerNotFound(place),
    addressOf,
    limiter: makeLimiter({ limits, addressOf, isKnownPayment: store.isKnownPayment }),
    peerKey: peers?.key,
    report: (failure) => log('server.error', failure),
    traced: tracing.listen,
    routes(httpServer) {
      sockets = attachSockets({
        server: httpServer,
        path,
        origins: [gameUrl, baseUrl],
        game,
        moderation,
        inputLimits,
        addresses,
        addressOf,
        now,
        log,
        peers,
      })
      sharing?.tellWhere(httpServer)
      const findLive = makeFindLive({ game, sockets, askOthers, report })
      const secret = readSecret(operatorSecretFile(dataDir))
      const tools = makeMcpRoutes({
        dungeon: makeDungeon(game, peers && makeFarDungeon(peers)),
        addresses: config,
        admit: makeAdmitMessages({ limits, addresses }),
        baseUrl,
        now,
        elsewhere: sharing && makeFarSessions(sharing),
      })
      routes = [
        ...makeHealthRoutes(makeReadiness({ db: ledger, isSettling: store.isSettling, health })),
        get('/metrics', (request, _name, address) => answerMetrics({ peer: address, headers: request.headers })),
        get('/api/mirror', ({ url, headers }, _name, caller) => look({ url, headers, caller })),
        ...makePageRoutes({ place, lives: makeLives(db), cups: cupRecords, images, findLive, now }),
        ...makeDocumentRoutes(config),
        ...makeDiscoveryRoutes(config),
        ...tools,
        ...makeGameRoutes({ db, cups, now, findLive, report }),
        ...makeCupRoutes(cupRecords),
        ...makeOperatorRoutes({ secret, game, sockets, moderation, now, askOthers }),
        ...(peers
          ? makeHostRoutes({
              key: peers.key,
              game,
              sockets,
              moderation,
              answerTools: answerForOther({ routes: tools, gameUrl, baseUrl }),
            })
          : []),
        ...makeReceiptRoutes(baseUrl),
        ...store.routes,
        ...(config.mode === 'sandbox' ? [makeTestWalletRoute(config.asset)] : []),
        makePaidResourcesRoute({ ...config, sellerUrl: gameUrl, baseUrl }),
        makeWallRoute({
          db: ledger,
          accounts,
          entitlements,
          mutedMs: (account) => moderation.remaining('mute', account),
          tell(shout) {
            sendShout(game, shout)
            askOthers?.({ order: 'shout', shout }).catch(report)
          },
          now,
        }),
      ]
      return routes
    },
  })
  const running = runCups({ db: ledger, gameDb: db, game, log, now })
  const tidying = setInterval(() => {
    Promise.all([game.tidy(), sockets && sendAwayLate({ game, sockets, moderation })]).catch(report)
  }, tidyEveryMs)
  let saidGoodbye: Promise<void> | undefined
  return {
    /** The HTTP server; it does not listen yet. */
    server,
    /** The routes that it serves beside the built files; the OpenAPI document must describe the same. */
    routes,
    /** Call it before the last requests end: tells players that the host restarts, and closes their sockets. */
    beginClose(): void {
      hold?.leave()
      saidGoodbye = sockets?.close()
    },
    /** Call it when the time for a shutdown runs out: settlements that have not begun are not begun any more. */
    settleNoMore: store.settleNoMore,
    /** Call it after the last request: writes what is left and closes the databases. */
    async close(): Promise<void> {
      clearInterval(tidying)
      await saidGoodbye
      await running.stop()
      await images.close()
      await game.close()
      await hosts?.close()
      await store.close()
      await tracing.close()
      await closeBlocks()
      await told.close()
      await db.destroy()
      await ledger.destroy()
      hold?.release()
      loop.close()
      memory.close()
      processMetrics.close()
    },
  }
}
