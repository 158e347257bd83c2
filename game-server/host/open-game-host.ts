import type { Server } from 'node:http'
import { join, resolve } from 'node:path'
import type { Config } from '../../src/config.ts'
import { type Log, toLogText } from '../../src/log.ts'
import { makeChainOracle } from '../../src/payments/chain-oracle.ts'
import { readSecret } from '../../src/read-secret.ts'
import { gameFiles } from '../../src/server/build-folder.ts'
import { makeClientAddress } from '../../src/server/client-address.ts'
import { makeMeter } from '../../src/server/meter.ts'
import { openFacilitator } from '../../src/server/open-facilitator.ts'
import { makeOwnFacilitatorCheck } from '../../src/server/own-facilitator.ts'
import { makeRateLimits } from '../../src/server/rate-limits.ts'
import { makeReadiness } from '../../src/server/readiness.ts'
import { readStaticManifest } from '../../src/server/static-manifest.ts'
import { watchEventLoop } from '../../src/server/watch-event-loop.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { makeCupBooks } from '../cup/cup-books.ts'
import { makeCupRoutes } from '../cup/cup-routes.ts'
import { makeCups } from '../cup/cups.ts'
import { runCups } from '../cup/run-cups.ts'
import { makeDocumentRoutes } from '../mcp/serve-documents.ts'
import { makeMcpRoutes } from '../mcp/serve-http.ts'
import { readAssets } from '../pages/assets.ts'
import { openDeathImages } from '../pages/death-images.ts'
import { answerNotFound } from '../pages/not-found-page.ts'
import { makePageRoutes } from '../pages/page-routes.ts'
import { openStore } from '../store/open-store.ts'
import { makePaidResourcesRoute } from '../store/paid-resources-route.ts'
import { makeWallRoute } from '../store/wall.ts'
import { makeAdmitMessages } from './admit-messages.ts'
import { openGame } from './game.ts'
import { makeHealthRoutes } from './health-routes.ts'
import { makeGameServer } from './http/make-game-server.ts'
import type { Route } from './http/route.ts'
import { makeDungeon } from './make-dungeon.ts'
import { operatorSecretFile } from './operator-secret-file.ts'
import { makeLives } from './play/lives.ts'
import { makeReceiptRoutes } from './receipt-routes.ts'
import { makeHostRoutes } from './routes/host-routes.ts'
import { makeOperatorRoutes } from './routes/operator-routes.ts'
import { openRulings } from './rulings.ts'
import { makeAddressLimits } from './sockets/address-limits.ts'
import { sendToPeople } from './sockets/send-to-people.ts'
import { attachSockets, type Sockets } from './sockets/serve-sockets.ts'
import { openGameDatabase } from './storage/open-game-database.ts'

export interface GameHost {
  /** Not listening yet. */
  readonly server: Server
  /** What it answers beside its built files; the machine description has to say the same. */
  readonly routes: readonly Route[]
  /** Before the last request: tells players that the host goes. */
  readonly beginClose: () => void
  /** When time runs out: from now on no money moves that does not move yet. */
  readonly settleNoMore: () => void
  /** After the last request: writes what is left and closes the databases. */
  readonly close: () => Promise<void>
}

/** What one player may press. */
const inputLimits = { perSecond: 20, burst: 40 }
const maxPlayers = 20_000
const tidyEveryMs = 60_000

/**
 * Opens everything the game host needs. Worlds of an earlier life are restored before it returns.
 *
 * @throws StorageError when a database cannot be used; Error when the build is damaged
 */
export async function openGameHost(config: Config, buildFolder: string, log: Log): Promise<GameHost> {
  const { baseUrl, gameUrl, wsUrl } = config
  const now = Date.now
  const dataDir = resolve(config.dataDir)
  const ledger = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  const db = await openGameDatabase(join(dataDir, 'game.db'))
  const facilitator = openFacilitator(config)
  const oracle = makeChainOracle(config.rpcUrl)
  const rulings = await openRulings(db, now)
  const isKept = (account: string) => rulings.remaining('reserve', account) > 0
  const loop = watchEventLoop({ onChange: (isBusy, delayMs) => log('server.busy', { isBusy, delayMs }) })
  const isOverloaded = loop.isBusy
  const exemptsLoopback = !config.limitsLoopback
  const limits = makeRateLimits({ exemptsLoopback, now: () => performance.now() })
  const countAgainst = (caller: string, cost: number) => limits.charge(caller, 'failed-payments', cost)
  const about = { config, dataDir, db: ledger, facilitator, oracle, log, isKept, countAgainst, isOverloaded }
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
    rulings,
    log,
    now,
    maxPlayers,
    inputLimits,
  })
  const { client, manifest } = gameFiles(buildFolder)
  const place = {
    gameUrl,
    baseUrl,
    wsUrl,
    isSandbox: config.mode === 'sandbox',
    asset: readAssets(join(client, 'assets')),
  }
  const images = openDeathImages()
  const cupBooks = makeCupBooks({ db: ledger, gameDb: db })
  const addressOf = makeClientAddress(config.trustedProxies, (note) => log('server.note', { note }))
  const addresses = makeAddressLimits({ exemptsLoopback, now })
  let sockets: Sockets | undefined
  let routes: readonly Route[] = []
  const server = makeGameServer({
    config,
    files: { client, manifest: readStaticManifest(manifest) },
    notFound: () => answerNotFound(place),
    addressOf,
    meter: makeMeter({ limits, addressOf, isKnownPayment: store.isKnownPayment }),
    report: (failure) => log('server.error', failure),
    routes(httpServer) {
      sockets = attachSockets({
        server: httpServer,
        path: new URL(wsUrl).pathname,
        origins: [gameUrl, baseUrl],
        game,
        rulings,
        inputLimits,
        addresses,
        addressOf,
        now,
        log,
      })
      const secret = readSecret(operatorSecretFile(dataDir))
      routes = [
        ...makeHealthRoutes(
          makeReadiness({
            db: ledger,
            facilitator,
            isSettling: store.isSettling,
            askOwn: makeOwnFacilitatorCheck(config.facilitator),
          }),
        ),
        ...makePageRoutes({ place, lives: makeLives(db), cups: cupBooks, images, now }),
        ...makeDocumentRoutes(config),
        ...makeMcpRoutes({
          dungeon: makeDungeon(game),
          addresses: config,
          admit: makeAdmitMessages({ limits, addresses }),
          baseUrl,
          now,
        }),
        ...makeHostRoutes({ db, game, sockets, cups, now }),
        ...makeCupRoutes(cupBooks),
        ...makeOperatorRoutes({ secret, game, sockets, rulings, now }),
        ...makeReceiptRoutes(baseUrl),
        ...store.routes,
        makePaidResourcesRoute({ sellerUrl: gameUrl, baseUrl, asset: config.asset, payTo: config.payTo }),
        makeWallRoute({
          db: ledger,
          accounts,
          entitlements,
          mutedMs: (account) => rulings.remaining('mute', account),
          tell: (shout) => sendToPeople(game, { type: 'shout', ...shout, untrusted: true }),
          now,
        }),
      ]
      return routes
    },
  })
  const running = runCups({ db: ledger, gameDb: db, game, log, now })
  const tidying = setInterval(() => {
    game.tidy().catch((error: unknown) => log('server.error', { error: toLogText(error) }))
  }, tidyEveryMs)
  let saidGoodbye: Promise<void> | undefined
  return {
    server,
    routes,
    beginClose() {
      saidGoodbye = sockets?.close()
    },
    settleNoMore: store.settleNoMore,
    async close() {
      clearInterval(tidying)
      await saidGoodbye
      await running.stop()
      await images.close()
      await game.close()
      await store.close()
      await db.destroy()
      await ledger.destroy()
      loop.close()
    },
  }
}
