import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'
import { startOurSite } from './start-our-site.ts'

/** Folder of another checkout (environment variable BENCH_EARLIER); some rows compare it with the present code. */
export const earlierFolder = process.env.BENCH_EARLIER

/**
 * Finds the site program of another checkout of this repository, in which `npm test` has built a site.
 *
 * @param folder of that checkout
 * @throws Error when it has no finished build
 */
export function findEarlierSite(folder: string) {
  const builds = join(resolve(folder), '.build')
  const [newest] = readdirSync(builds)
    .map((name) => join(builds, name))
    .filter((build) => existsSync(join(build, 'build.json')))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  if (newest === undefined) throw new Error(`${folder} has no finished build; run npm test there`)
  return { build: newest, place: { root: resolve(folder), program: join(newest, 'programs/site.mjs') } }
}

/** Starts the site program of another checkout. */
export function startEarlierSite(bench: Bench, folder: string): Promise<Server> {
  const { build, place } = findEarlierSite(folder)
  return startOurSite({ ...bench, build }, {}, place)
}
