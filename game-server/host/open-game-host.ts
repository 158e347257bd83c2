import type { Server } from 'node:http'
import { join, resolve } from 'node:path'
import type { Config } from '../../src/config.ts'
import type { Log } from '../../src/log.ts'
import { makeChainOracle } from '../../src/payments/chain-oracle.ts'
import { Problem } from '../../src/problem.ts'
import { gameFiles } from '../../src/server/build-folder.ts'
import { openFacilitator } from '../../src/server/open-facilitator.ts'
import { makeReadiness } from '../../src/server/readiness.ts'
import { readStaticManifest } from '../../src/server/static-manifest.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { makeDocumentRoutes } from '../mcp/serve-documents.ts'
import { openStore } from '../store/open-store.ts'
import { makeHealthRoutes } from './health-routes.ts'
import { makeGameServer } from './http/make-game-server.ts'
import { makeReceiptRoutes } from './receipt-routes.ts'

export interface GameHost {
  /** Not listening yet. */
  readonly server: Server
  /** Before the last request: tells players that the host goes. */
  readonly beginClose: () => void
  /** After the last request: writes what is left and closes the databases. */
  readonly close: () => Promise<void>
}

/**
 * Opens everything the game host needs. Worlds of an earlier life are restored before it returns.
 *
 * @throws StorageError when a database cannot be used; Error when the build is damaged
 */
export async function openGameHost(config: Config, buildFolder: string, log: Log): Promise<GameHost> {
  const dataDir = resolve(config.dataDir)
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'))
  const facilitator = openFacilitator(config)
  const oracle = makeChainOracle(config.rpcUrl)
  const store = await openStore({ config, dataDir, db, facilitator, oracle, log })
  const { client, manifest } = gameFiles(buildFolder)
  const server = makeGameServer({
    config,
    files: { client, manifest: readStaticManifest(manifest) },
    routes: [
      ...makeHealthRoutes(makeReadiness({ db, facilitator })),
      ...makeReceiptRoutes(config.baseUrl),
      ...makeDocumentRoutes(config),
      ...store.routes,
    ],
    notFound: () => {
      throw new Problem('not-found')
    },
    report: (failure) => log('server.error', failure),
  })
  return {
    server,
    beginClose: () => {},
    async close() {
      await store.close()
      await db.destroy()
    },
  }
}
