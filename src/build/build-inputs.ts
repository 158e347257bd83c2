import { createHash, type Hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Config } from '../config/config.ts'
import { alsoTaken } from '../config/other-networks.ts'
import { byTime, readUnpublished, toPostFile, type UnpublishedPost } from '../content/waiting-posts.ts'
import { writeAcceptedAssets } from '../core/assets.ts'
import { listFiles } from './list-files.ts'

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

/** Further files that a whole build depends on: the licence files, for example, go into packages that are published. */
const alsoMadeWith = ['package.json', 'tsconfig.json', 'LICENSE', 'NOTICE']

/** The names of what a build is made from, and what is read of the posts on the way. */
export interface BuildInputs {
  /**
   * The name of the build that this code, content and configuration produce: equal inputs give equal keys. Which posts
   * are not due yet is an input, too.
   */
  readonly key: string
  /**
   * The name of everything except posts. Builds with the same ground key differ only in what is derived from posts.
   */
  readonly ground: string
  /**
   * The name of the code that starts a program and answers requests: modules, not pages, styles or texts. A running
   * process can switch between builds that have the same program key.
   */
  readonly program: string
  /** The posts that are no drafts and are not due yet, the next one first. */
  readonly waiting: readonly UnpublishedPost[]
}

/**
 * Reads every input of a build once; a few hundred files take some tens of milliseconds.
 *
 * @param asOf when the build will be served, if that is not now
 */
export function readBuildInputs(root: string, config: Config, asOf = new Date()): BuildInputs {
  const settings = publicPart(config)
  const key = createHash('sha256').update(JSON.stringify(settings))
  const ground = createHash('sha256').update(JSON.stringify([settings, process.versions]))
  const program = createHash('sha256')
  const waiting: UnpublishedPost[] = []
  const beside = alsoMadeWith.filter((name) => existsSync(join(root, name)))
  // Hidden files, too: `/.well-known/` is made from such files.
  const inFolders = folders.flatMap((folder) => listFiles(join(root, folder)).map((name) => join(folder, name)))
  const names = [...inFolders, ...files, ...beside]
  for (const name of names.sort()) {
    const bytes = readFileSync(join(root, name))
    const sums = [
      ...(beside.includes(name) ? [] : [key]),
      ...(isPost(name) ? [] : [ground]),
      ...(isOfProgram(name) ? [program] : []),
    ]
    // The length keeps the end of one file and the name of the next apart.
    for (const sum of sums) sum.update(`\0${name}\0${bytes.length}\0`).update(bytes)
    const file = toPostFile(name)
    const post = file === undefined ? undefined : readUnpublished(file, bytes.toString(), asOf)
    if (post && !post.isDraft) waiting.push(post)
  }
  waiting.sort(byTime)
  // The same files produce a different site once a post is due.
  key.update(`\0${JSON.stringify(waiting.map(({ file }) => file))}`)
  return { key: toName(key), ground: toName(ground), program: toName(program), waiting }
}

const isPost = (name: string): boolean => dirname(name) === join('content', 'posts') && name.endsWith('.mdx')

const isOfProgram = (name: string): boolean =>
  files.includes(name) || (programFolders.includes(name.split(sep, 1)[0] ?? '') && /\.(?:ts|mts|mjs|js)$/.test(name))

const toName = (sum: Hash): string => sum.digest('hex').slice(0, 24)
