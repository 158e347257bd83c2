import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Where the packages of a peer are that only the bench needs, or why they are missing. */
export type FetchedPeer =
  | { readonly is: 'here'; readonly packages: string }
  | { readonly is: 'missing'; readonly why: string }

/** The locked packages of a folder; empty when there are none. */
const readLock = (folder: string): string => {
  const file = join(folder, 'package-lock.json')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * Installs the packages that `bench/peers/NAME` locks into a folder that is not committed, unless the same ones are
 * there.
 *
 * @param has a package whose presence means that all are installed
 */
export function fetchPeer(name: string, has: string): FetchedPeer {
  const home = join(root, `.runtime-${name}`)
  const packages = join(home, 'node_modules')
  const peer = join(root, 'bench/peers', name)
  if (existsSync(join(packages, has)) && readLock(home) === readLock(peer)) return { is: 'here', packages }
  rmSync(home, { recursive: true, force: true })
  cpSync(peer, home, { recursive: true })
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  const npm = spawnSync('npm', ['ci', ...flags], { cwd: home, encoding: 'utf8' })
  if (npm.status === 0) return { is: 'here', packages }
  // An incomplete installation would count as complete the next time.
  rmSync(home, { recursive: true, force: true })
  console.error(`bench: ${name} could not be fetched: ${npm.stderr || String(npm.error)}`)
  return { is: 'missing', why: 'could not be fetched from the npm registry' }
}
