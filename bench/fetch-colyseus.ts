import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./peers/colyseus/', import.meta.url))
const home = fileURLToPath(new URL('../.runtime-colyseus/', import.meta.url))

/** Fetches Colyseus, which nothing else needs, when it is not there yet; answers the folder of its packages. */
export function fetchColyseus(): string {
  const packages = join(home, 'node_modules')
  if (existsSync(join(packages, '@colyseus/ws-transport'))) return packages
  cpSync(source, home, { recursive: true })
  const npm = spawnSync('npm', ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    encoding: 'utf8',
  })
  if (npm.status !== 0) throw new Error(`Colyseus could not be fetched: ${npm.stderr}`)
  return packages
}
