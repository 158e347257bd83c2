import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
import { type Route, toPattern } from '../../src/routes/route.ts'
import { buildFiles, gameFiles } from '../../src/storage/build-folder.ts'
import { heardPost, type RunningService, testGameUrl } from '../support/running-service.ts'
import { testBaseUrl, testBuild } from '../support/running-site.ts'

/** The public address of each program. */
export const origins = { site: testBaseUrl, game: testGameUrl } as const

/** The files that each program sends, by path. */
export const builtFiles = () => ({
  site: readStaticManifest(buildFiles(testBuild()).manifest),
  game: readStaticManifest(gameFiles(testBuild()).manifest),
})

/** Names of things in the tested installation. */
export interface Names {
  readonly storageKey: string
  readonly receipt: string
  readonly death: string
}

/** Buys something, so that there is a receipt. */
export async function toNames({ storageKey, veteran, pay }: RunningService): Promise<Names> {
  const bought = await pay(`${origins.site}/llms-full.txt`)
  return { storageKey, receipt: bought.headers.get('x-receipt-id') ?? '', death: veteran.death }
}

/** The address of a route with its placeholders filled in: a file of the build, or a path with the names above. */
export function toAddress({ host, path }: Pick<Route, 'host' | 'path'>, { storageKey, receipt, death }: Names): string {
  const isFile = toPattern({ path })
  const file = path.includes('{') ? Object.keys(builtFiles()[host]).find((name) => isFile.test(name)) : path
  const values = new Map([
    ['slug', path.startsWith('/skills/') ? 'feed-doctor' : heardPost],
    ['storage_key', storageKey],
    ['voiceId', 'English_SereneWoman'],
    ['name', 'undercroft'],
    ['id', path.includes('receipts') ? receipt : path.includes('cups') ? 'cup-1' : death],
  ])
  return origins[host] + (file ?? path.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? 'nothing'))
}
