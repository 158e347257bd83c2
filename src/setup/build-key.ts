import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'

/** Everything a build is made from, below the repository. */
const inputs = [
  'src/**/*',
  'functions/**/*',
  'content/**/*',
  'public/**/*',
  'site.config.ts',
  'astro.config.mjs',
  'package-lock.json',
]

/** What of the configuration ends up in built files. Secrets and ports of listeners do not. */
const publicPart = ({ mode, baseUrl, gameUrl, wsUrl, payTo, asset, facilitator }: Config) => [
  mode,
  baseUrl,
  gameUrl,
  wsUrl,
  payTo,
  asset,
  facilitator.url,
]

/**
 * The name of the build that this code, content and configuration make: equal inputs, equal key.
 * It reads every input file; a few hundred take some tens of milliseconds.
 */
export function toBuildKey(root: string, config: Config): string {
  const sum = createHash('sha256').update(JSON.stringify(publicPart(config)))
  const files = globSync(inputs, { cwd: root, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .sort()
  for (const file of files) {
    const bytes = readFileSync(file)
    // The length keeps the end of one file and the name of the next apart.
    sum.update(`\0${file.slice(root.length)}\0${bytes.length}\0`).update(bytes)
  }
  return sum.digest('hex').slice(0, 24)
}
