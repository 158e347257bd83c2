import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildGame } from '../../game-server/build-game.ts'
import { makeGameServer } from '../../game-server/host/http/make-game-server.ts'
import type { Route } from '../../game-server/host/http/route.ts'
import { readAssets } from '../../game-server/pages/assets.ts'
import type { Place } from '../../game-server/pages/frame.ts'
import { answerNotFound } from '../../game-server/pages/not-found-page.ts'
import { makePageRoutes, type PastLives } from '../../game-server/pages/page-routes.ts'
import { gameFiles } from '../../src/server/build-folder.ts'
import { readStaticManifest } from '../../src/server/static-manifest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const noLives: PastLives = { find: async () => undefined, recent: async () => [], best: async () => [] }

/** The game's pages on a free port, as browsers get them: built scripts, policies and all. */
export async function serveGamePages({ routes = [], lives = noLives }: { routes?: Route[]; lives?: PastLives } = {}) {
  const outDir = mkdtempSync(join(tmpdir(), 'farthing-game-'))
  await buildGame({ root, outDir })
  const { client, manifest } = gameFiles(outDir)
  const address = { baseUrl: 'http://farthing.test', gameUrl: 'http://game.test', wsUrl: 'ws://game.test/ws' }
  const place: Place = { ...address, isSandbox: true, asset: readAssets(join(client, 'assets')) }
  const failures: string[] = []
  const server = makeGameServer({
    config: address,
    routes: () => [...makePageRoutes({ place, lives, now: Date.now }), ...routes],
    files: { client, manifest: readStaticManifest(manifest) },
    notFound: () => answerNotFound(place),
    report: ({ error }) => failures.push(error),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
