import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What npm is told to install the packages of a lock file, from its cache where it has them. */
export const installLocked = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

/**
 * Installs packages that only tests in depth need, as locked in `src/setup/NAME`, if they are missing.
 *
 * @param has a file that exists if the packages are installed
 * @returns the folder of the packages
 */
export function fetchPackages(name: string, has: string, options: readonly string[] = []): string {
  const home = join(root, `.runtime-${name}`)
  const packages = join(home, 'node_modules')
  if (existsSync(join(packages, has))) return packages
  console.log(`setup: fetching ${name} from the npm registry`)
  cpSync(join(root, 'src/setup', name), home, { recursive: true })
  const npm = spawnSync('npm', [...installLocked, ...options], { cwd: home, encoding: 'utf8' })
  if (npm.status !== 0) throw new Error(`${name} could not be fetched: ${npm.stderr}`)
  return packages
}
