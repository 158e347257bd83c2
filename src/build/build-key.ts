import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Config } from '../config/config.ts'
import { alsoTaken } from '../config/other-networks.ts'
import { findWaitingPosts } from '../content/waiting-posts.ts'
import { writeAcceptedAssets } from '../core/assets.ts'

const programFolders = ['src', 'functions', 'game-server']
/** Everything a build is made from, below the repository. */
const folders = [...programFolders, 'content', 'public']
const files = ['site.config.ts', 'astro.config.mjs', 'package-lock.json']

/** The part of the configuration that ends up in built files; secrets and the ports to listen on do not. */
const publicPart = ({ mode, baseUrl, gameUrl, wsUrl, payTo, asset, facilitator, ...config }: Config) => [
  mode,
  baseUrl,
  gameUrl,
  wsUrl,
  payTo,
  asset,
  writeAcceptedAssets(alsoTaken(config)),
  facilitator.url,
]

/**
 * The name of the build that this code, content and configuration produce: equal inputs give equal keys.
 * Which posts are not due yet is an input, too.
 * It reads every input file; a few hundred take some tens of milliseconds.
 *
 * @param asOf when the build will be served, if that is not now
 */
export function toBuildKey(root: string, config: Config, asOf = new Date()): string {
  // The same files produce a different site once a post is due.
  const waiting = findWaitingPosts(root, asOf).map(({ file }) => file)
  const sum = createHash('sha256').update(JSON.stringify([publicPart(config), waiting]))
  return hashFiles(sum, root, [...folders.flatMap((folder) => listFiles(root, folder)), ...files])
}

/** Further files that a whole build depends on: the licence files, for example, go into packages that are published. */
const alsoMadeWith = ['package.json', 'tsconfig.json', 'LICENSE', 'NOTICE']

/**
 * The name of everything that a build is made from, except its posts. Builds with the same ground key differ only in
 * what is derived from posts.
 */
export function toGroundKey(root: string, config: Config): string {
  const sum = createHash('sha256').update(JSON.stringify([publicPart(config), process.versions]))
  const names = folders.flatMap((folder) => listFiles(root, folder)).filter((name) => !isPost(name))
  return hashFiles(sum, root, [...names, ...files, ...alsoMadeWith.filter((name) => existsSync(join(root, name)))])
}

const isPost = (name: string): boolean => dirname(name) === join('content', 'posts') && name.endsWith('.mdx')

function hashFiles(sum: Hash, root: string, names: string[]): string {
  for (const name of names.sort()) {
    const bytes = readFileSync(join(root, name))
    // The length keeps the end of one file and the name of the next apart.
    sum.update(`\0${name}\0${bytes.length}\0`).update(bytes)
  }
  return sum.digest('hex').slice(0, 24)
}

/**
 * The name of the code that starts a program and answers requests: modules, not pages, styles or texts.
 * A running process can switch between builds that have the same program key.
 */
export function toProgramKey(root: string): string {
  const names = programFolders.flatMap((folder) => listFiles(root, folder)).filter(isModule)
  return hashFiles(createHash('sha256'), root, [...names, ...files])
}

const isModule = (name: string): boolean => /\.(?:ts|mts|mjs|js)$/.test(name)

/** Lists hidden files, too: `/.well-known/` is made from such files. */
function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => relative(root, join(item.parentPath, item.name)))
}
