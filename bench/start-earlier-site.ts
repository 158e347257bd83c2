import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'
import { startOurSite } from './start-our-site.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

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
  const program = join(relative(root, resolve(folder)), 'src/site/main.ts')
  return startOurSite({ ...bench, build: newest }, {}, program)
}
