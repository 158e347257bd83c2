import { join } from 'node:path'
import type { Config } from '../../src/config/config.ts'
import type { Route } from '../../src/http/route.ts'
import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
import { gameFiles } from '../../src/storage/build-folder.ts'
import { makeDiscoveryRoutes } from '../api/discovery-routes.ts'
import type { Live } from '../api/to-live.ts'
import type { CupRecords } from '../cup/cup-records.ts'
import { makeDocumentRoutes } from '../mcp/serve-documents.ts'
import { readAssets } from '../pages/assets.ts'
import { openDeathImages } from '../pages/death-images.ts'
import { answerNotFound } from '../pages/not-found-page.ts'
import { makePageRoutes } from '../pages/page-routes.ts'
import { makeLives } from '../sessions/lives.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/** The niceness of the process that draws pictures of deaths, because others are playing meanwhile. */
const imageNiceness = 10

interface Options {
  readonly config: Config
  readonly buildFolder: string
  readonly db: GameDatabase
  readonly cups: CupRecords
  readonly now: () => number
}

/**
 * Opens the pages, documents and built files of the game.
 *
 * @throws Error when the build is damaged
 */
export function openPages({ config, buildFolder, db, cups, now }: Options) {
  const { gameUrl, baseUrl, wsUrl, mode } = config
  const { client, manifest } = gameFiles(buildFolder)
  const place = { gameUrl, baseUrl, wsUrl, isSandbox: mode === 'sandbox', asset: readAssets(join(client, 'assets')) }
  const images = openDeathImages({ niceness: config.niceness(imageNiceness) })
  return {
    files: { client, manifest: readStaticManifest(manifest) },
    notFound: (): Response => answerNotFound(place),
    /** @param findLive finds who plays now, at any host */
    makeRoutes: (findLive: () => Promise<Live>): Route[] => [
      ...makePageRoutes({ place, lives: makeLives(db), cups, images, findLive, now }),
      ...makeDocumentRoutes(config),
      ...makeDiscoveryRoutes(config),
    ],
    close: images.close,
  }
}
