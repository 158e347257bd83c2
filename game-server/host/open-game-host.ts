import { join, resolve } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import { type Log, toLogText } from '../../src/core/log.ts'
import { makeClientAddress } from '../../src/http/client-address.ts'
import { makeLimiter } from '../../src/http/limiter.ts'
import { makeRateLimits } from '../../src/http/rate-limits.ts'
import { get, type Route } from '../../src/http/route.ts'
import { openBlockList } from '../../src/payments/block-list.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { makeTestWalletRoute } from '../../src/sandbox/test-wallet-route.ts'
import { makeHealthRoutes } from '../../src/site/health-routes.ts'
import { openMirror } from '../../src/site/mirror-route.ts'
import { openFacilitator } from '../../src/site/open-facilitator.ts'
import { makeReadiness } from '../../src/site/readiness.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { operatorSecretFile } from '../../src/storage/operator-secret-file.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
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
import { makeMcpRoutes } from '../mcp/serve-http.ts'
import { openModeration } from '../moderation/moderation.ts'
import { makeFarDungeon } from '../sessions/far-dungeon.ts'
import { openGame } from '../sessions/game.ts'
import { makeDungeon } from '../sessions/make-dungeon.ts'
import { makeAddressLimits } from '../sockets/address-limits.ts'
import { sendShout } from '../sockets/send-to-people.ts'
import { attachSockets, type Sockets } from '../sockets/serve-sockets.ts'
import { holdGame } from '../storage/hold-game.ts'
import { openGameDatabase } from '../storage/open-game-database.ts'
import { openStore } from '../store/open-store.ts'
import { makePaidResourcesRoute } from '../store/paid-resources-route.ts'
import { makeWallRoute } from '../store/wall.ts'
import { makeAdmitMessages } from './admit-messages.ts'
import { makeGameMetrics } from './game-metrics.ts'
import { makeGameServer } from './http/make-game-server.ts'
import { openMonitoring } from './open-monitoring.ts'
import { openPages } from './open-pages.ts'

/** How many keys one player may press. */
const inputLimits = { perSecond: 20, burst: 40 }
const maxPlayers = 20_000
const tidyEveryMs = 60_000

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
  const monitoring = openMonitoring({ config, ledger, now, log, report })
  const { isOverloaded, meters, trace } = monitoring
  const exemptsLoopback = !config.limitsLoopback
  const limits = makeRateLimits({ exemptsLoopback, now: () => performance.now() })
  const countAgainst = (caller: string, cost: number) => limits.charge(caller, 'failed-payments', cost)
  const { isBlocked, close: closeBlocks } = await openBlockList({ db: ledger, report })
  const facilitator = openFacilitator(config, monitoring.counted)
  const limited = { isKept, countAgainst, isOverloaded, isBlocked, claim: hosts?.claim }
  const about = { config, dataDir, db: ledger, facilitator, oracle, log, meters, trace, ...limited }
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
  const cupRecords = makeCupRecords({ db: ledger, gameDb: db, now })
  const pages = openPages({ config, buildFolder, db, cups: cupRecords, now })
  const addressOf = makeClientAddress(config.trustedProxies, note)
  const addresses = makeAddressLimits({ exemptsLoopback, now })
  let sockets: Sockets | undefined
  const answerMetrics = monitoring.makeAnswer(
    makeGameMetrics({ game, db, sockets: () => sockets?.count() ?? 0, underWay: store.underWay }),
  )
  const look = openMirror(dataDir, gameUrl)
  let routes: readonly Route[] = []
  const server = makeGameServer({
    config,
    files: pages.files,
    notFound: pages.notFound,
    addressOf,
    limiter: makeLimiter({ limits, addressOf, isKnownPayment: store.isKnownPayment }),
    peerKey: peers?.key,
    report: (failure) => log('server.error', failure),
    traced: monitoring.listen,
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
        ...makeHealthRoutes(makeReadiness({ db: ledger, isSettling: store.isSettling, health: monitoring.health })),
        get('/metrics', (request, _name, address) => answerMetrics({ peer: address, headers: request.headers })),
        get('/api/mirror', ({ url, headers }, _name, caller) => look({ url, headers, caller })),
        ...pages.makeRoutes(findLive),
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
      await pages.close()
      await game.close()
      await hosts?.close()
      await store.close()
      await monitoring.close()
      await closeBlocks()
      await db.destroy()
      await ledger.destroy()
      hold?.release()
    },
  }
}
