import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Where the packages of a peer are that only the bench needs, or why they are missing. */
export type FetchedPeer =
  | { readonly is: 'here'; readonly packages: string }
  | { readonly is: 'missing'; readonly why: string }

/**
 * Installs the packages that `bench/peers/NAME` locks into a folder that is not committed, unless they are there.
 *
 * @param has a package whose presence means that all are installed
 */
export function fetchPeer(name: string, has: string): FetchedPeer {
  const home = join(root, `.runtime-${name}`)
  const packages = join(home, 'node_modules')
  if (existsSync(join(packages, has))) return { is: 'here', packages }
  cpSync(join(root, 'bench/peers', name), home, { recursive: true })
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  const npm = spawnSync('npm', ['ci', ...flags], { cwd: home, encoding: 'utf8' })
  if (npm.status === 0) return { is: 'here', packages }
  // An incomplete installation would count as complete the next time.
  rmSync(home, { recursive: true, force: true })
  console.error(`bench: ${name} could not be fetched: ${npm.stderr || String(npm.error)}`)
  return { is: 'missing', why: 'could not be fetched from the npm registry' }
}
