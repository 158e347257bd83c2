import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Config } from '../config/config.ts'

/** Everything a build is made from, below the repository. */
const folders = ['src', 'functions', 'game-server', 'content', 'public']
const files = ['site.config.ts', 'astro.config.mjs', 'package-lock.json']

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
  const names = [...folders.flatMap((folder) => listFiles(root, folder)), ...files].sort()
  for (const name of names) {
    const bytes = readFileSync(join(root, name))
    // The length keeps the end of one file and the name of the next apart.
    sum.update(`\0${name}\0${bytes.length}\0`).update(bytes)
  }
  return sum.digest('hex').slice(0, 24)
}

/** Hidden files too: `/.well-known/` is made of them. */
function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(root, join(item.parentPath, item.name)))
}
