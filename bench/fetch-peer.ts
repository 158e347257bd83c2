import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A peer that nothing but the bench needs, or why it could not be had. */
export type FetchedPeer =
  | { readonly is: 'here'; readonly packages: string }
  | { readonly is: 'missing'; readonly why: string }

/**
 * Fetches the packages that `bench/peers/NAME` locks, when they are not there yet, into a folder that is not committed.
 *
 * @param has a package that is there when all are
 */
export function fetchPeer(name: string, has: string): FetchedPeer {
  const home = join(root, `.runtime-${name}`)
  const packages = join(home, 'node_modules')
  if (existsSync(join(packages, has))) return { is: 'here', packages }
  cpSync(join(root, 'bench/peers', name), home, { recursive: true })
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund']
  const npm = spawnSync('npm', ['ci', ...flags], { cwd: home, encoding: 'utf8' })
  if (npm.status === 0) return { is: 'here', packages }
  // What is half there would be taken for whole the next time.
  rmSync(home, { recursive: true, force: true })
  console.error(`bench: ${name} could not be fetched: ${npm.stderr || String(npm.error)}`)
  return { is: 'missing', why: 'could not be fetched from the npm registry' }
}
