import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { z } from 'zod'
import type { CupRecords } from '../../game-server/cup/cup-records.ts'
import { makeGameServer } from '../../game-server/host/http/make-game-server.ts'
import { readAssets } from '../../game-server/pages/assets.ts'
import { openDeathImages } from '../../game-server/pages/death-images.ts'
import type { Place } from '../../game-server/pages/frame.ts'
import { answerNotFound } from '../../game-server/pages/not-found-page.ts'
import { makePageRoutes, type PastLives } from '../../game-server/pages/page-routes.ts'
import { buildGame } from '../../src/build/programs/build-game.ts'
import type { Route } from '../../src/http/route.ts'
import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
import { gameFiles } from '../../src/storage/build-folder.ts'
import { launch } from './browser.ts'
import { gameOrigin } from './game-host.ts'
import { noLimits } from './no-limits.ts'
import { testBrowser } from './test-browser.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const noLive = async () => ({ playing: 0 })
const noLives: PastLives = { find: async () => undefined, recent: async () => [], best: async () => [] }

/** The records of cups before the first cup. */
export const noCupRecords: CupRecords = {
  list: async () => ({ entriesCountFor: 'cup-1', cups: [] }),
  forEntries: async () => ({ id: 'cup-1', isOpen: false, opensAt: null, closesAt: null, text: 'No cup is open.' }),
  find: async () => undefined,
  findRun: async () => undefined,
}

interface Options {
  readonly routes?: Route[]
  readonly lives?: PastLives
  readonly cups?: CupRecords
  /** Who plays; nobody when absent. */
  readonly findLive?: () => Promise<{ readonly playing: number }>
}

/** Builds the pages if the tests run without a built site. */
async function build(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'farthing-game-'))
  await buildGame({ root, outDir })
  return outDir
}

/** Serves the game's pages on a free port as browsers get them, with built scripts and policies. */
export async function serveGamePages({
  routes = [],
  lives = noLives,
  cups = noCupRecords,
  findLive = noLive,
}: Options = {}) {
  const { client, manifest } = gameFiles(process.env['TEST_BUILD'] ?? (await build()))
  const address = { baseUrl: 'http://farthing.test', gameUrl: gameOrigin, wsUrl: 'ws://sockets.game.localhost/ws' }
  const place: Place = { ...address, isSandbox: true, asset: readAssets(join(client, 'assets')) }
  const images = openDeathImages()
  const failures: string[] = []
  const server = makeGameServer({
    config: address,
    routes: () => [...makePageRoutes({ place, lives, cups, images, findLive, now: Date.now }), ...routes],
    files: { client, manifest: readStaticManifest(manifest) },
    notFound: () => answerNotFound(place),
    limiter: noLimits,
    addressOf: () => '',
    report: ({ error }) => failures.push(error),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    url: gameOrigin,
    failures,
    /** Starts the browser that `npm test` found, with the addresses of pages and sockets mapped to this server. */
    async launch(sockets?: { readonly wsUrl: string }): Promise<Browser> {
      const rules = [`MAP game.localhost:80 127.0.0.1:${port}`]
      if (sockets) rules.push(`MAP sockets.game.localhost:80 ${new URL(sockets.wsUrl).host}`)
      return launch({
        ...testBrowser(),
        args: [`--host-resolver-rules=${rules.join(',')}`, '--no-first-run', '--disable-gpu'],
      })
    },
    async close() {
      server.closeAllConnections()
      await images.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
