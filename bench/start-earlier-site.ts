import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'
import { startOurSite } from './start-our-site.ts'

/**
 * Starts the site program of another checkout of this repository, in which `npm test` has built a site before: what the
 * same row was, measured in turns with what it is.
 *
 * @param folder of that checkout
 */
export function startEarlierSite(bench: Bench, folder: string): Promise<Server> {
  const builds = join(resolve(folder), '.build')
  const [newest] = readdirSync(builds)
    .map((name) => join(builds, name))
    .filter((build) => existsSync(join(build, 'build.json')))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (newest === undefined) throw new Error(`${folder} has no finished build; run npm test there`)
  const place = { root: resolve(folder), program: join(newest, 'programs/site.mjs') }
  return startOurSite({ ...bench, build: newest }, {}, place)
}
