import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { readConfig } from '../../src/config/config.ts'
import { testBaseUrl } from '../../tests/support/running-site.ts'
import { generatedPost, writePosts } from '../generated-posts.ts'
import { writeBareAstro } from '../peers/bare-astro.ts'
import { findEleventy } from '../peers/eleventy.ts'
import { findHugo } from '../peers/hugo.ts'
import { type OtherBuilder, outFolder } from '../peers/other-builder.ts'
import type { Bench, Contenders, Row } from '../row.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ofASite = [
  'src',
  'functions',
  'game-server',
  'content',
  'public',
  'site.config.ts',
  'astro.config.mjs',
  'package.json',
  'tsconfig.json',
]
const again = 'posts unchanged'
const changed = 'one post changed'
const first = 'first build, nothing kept'
const peer = 'bare Astro'

/** A copy of this site whose posts can be replaced. */
function writeOurs(folder: string): void {
  for (const name of ofASite) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

const astro: Pick<OtherBuilder, 'extension' | 'build'> = {
  extension: 'mdx',
  build: (folder) =>
    runAstroBuild({
      root: folder,
      outDir: join(folder, outFolder),
      env: toBuildEnvironment(readConfig({ BASE_URL: testBaseUrl, PORT: '0' }), process.env),
    }),
}

/** Builds of one site: the first, then after no change and after one. */
async function openSite(folder: string, posts: number, builder = astro) {
  writePosts(join(folder, 'content/posts'), posts, builder.extension)
  const build = async () => {
    rmSync(join(folder, outFolder), { recursive: true, force: true })
    const from = performance.now()
    await builder.build(folder)
    return (performance.now() - from) / 1000
  }
  const firstSeconds = await build()
  let revision = 0
  return async () => {
    const againSeconds = await build()
    const middle = Math.floor(posts / 2)
    writeFileSync(join(folder, `content/posts/post-${middle}.${builder.extension}`), generatedPost(middle, ++revision))
    return { [first]: firstSeconds, [again]: againSeconds, [changed]: await build() }
  }
}

/** The same posts at builders that are no Astro, as far as they are on this machine. */
async function openOthers({ newFolder, builtPosts }: Bench): Promise<Pick<Contenders, 'peers' | 'missing'>> {
  const peers: Record<string, Contenders['ours']> = {}
  const missing: Record<string, string> = {}
  for (const [name, builder] of Object.entries({ Eleventy: findEleventy(), Hugo: findHugo() })) {
    if (typeof builder === 'string') {
      missing[name] = builder
      continue
    }
    const folder = newFolder()
    builder.write(folder)
    peers[name] = await openSite(folder, builtPosts, builder)
  }
  return { peers, missing }
}

/** What covers, cards, feeds, markdown alternates and two search indexes cost beside Astro alone. */
export const siteBuild: Row = {
  title: 'Build of a site',
  meaning:
    'The same 1,000 generated posts, built by us with covers, cards, feeds, markdown alternates and both search indexes, and by Astro, Eleventy and Hugo with a page per post, a list of them and nothing else (Astro reads them as MDX, as we do, the others as Markdown). Pictures and content outlive a build on all sides, so the first build is a row of its own: it draws the pictures of the newest posts, and names the others, which the site draws while it runs. A changed post has a new title, and with it a new cover. Three rounds.',
  measures: [again, changed, first].map((name) => ({ name, unit: 's', digits: 1 })),
  goals: [again, changed].map((measure) => ({ measure, peer, is: 'at most', ratio: 3 })),
  mostRounds: 3,
  async start(bench) {
    const { newFolder, builtPosts } = bench
    const [ourFolder, bareFolder] = [newFolder(), newFolder()]
    writeOurs(ourFolder)
    writeBareAstro(bareFolder, root)
    const bare = await openSite(bareFolder, builtPosts)
    const { peers, missing = {} } = await openOthers(bench)
    return { ours: await openSite(ourFolder, builtPosts), peers: { [peer]: bare, ...peers }, missing }
  },
}
