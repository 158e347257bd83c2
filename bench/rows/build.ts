import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuild } from '../../src/build/build.ts'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { readConfig } from '../../src/config/config.ts'
import { testBaseUrl } from '../../tests/support/running-site.ts'
import { generatedPost, writePosts } from '../generated-posts.ts'
import { writeBareAstro } from '../peers/bare-astro.ts'
import { findEleventy } from '../peers/eleventy.ts'
import { findHugo } from '../peers/hugo.ts'
import { type OtherBuilder, outFolder } from '../peers/other-builder.ts'
import type { Bench, Contenders, Row, Sample } from '../row.ts'

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
  'package-lock.json',
  'tsconfig.json',
  'LICENSE',
  'NOTICE',
]
const idle = 'nothing changed at all'
const again = 'posts unchanged'
const changed = 'one post changed'
const cold = 'pictures kept, and nothing else'
const first = 'first build, nothing kept'
const measured = [idle, again, changed, cold, first]
const peer = 'bare Astro'

/** A builder of the site in a folder. */
interface Builder {
  /** Puts the last build out of the way, so that the same content is built again. */
  readonly clear: (folder: string) => void
  readonly build: (folder: string) => Promise<void>
}

const config = readConfig({ BASE_URL: testBaseUrl, PORT: '0' })

/** A copy of this site whose posts can be replaced. */
function writeOurs(folder: string): void {
  for (const name of ofASite) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/**
 * Moves what a builder wrote next to its folder instead of removing it: a file system that does not reuse the inodes of
 * removed files for a minute or more (ext4) scans all of them for each file that the next builder writes.
 */
function putAway(folder: string, name: string): void {
  const from = join(folder, name)
  if (!existsSync(from)) return
  const away = `${folder}-away`
  mkdirSync(away, { recursive: true })
  renameSync(from, join(away, randomUUID()))
}

/** Does all that `npm run build` does. The last build is renamed, because the same content is not built twice. */
function openOurs(): Builder {
  let last: string | undefined
  return {
    clear(folder) {
      if (last === undefined) return
      putAway(folder, relative(folder, `${last}0`))
      renameSync(last, `${last}0`)
      last = undefined
    },
    async build(folder) {
      last = await ensureBuild(config, { root: folder, log: () => {} })
    },
  }
}

const clear: Builder['clear'] = (folder) => putAway(folder, outFolder)

const bareAstro: Builder = {
  clear,
  build: (folder) =>
    runAstroBuild({
      root: folder,
      outDir: join(folder, outFolder),
      env: toBuildEnvironment(config, process.env),
    }),
}

interface Site {
  readonly folder: string
  readonly posts: number
  readonly extension?: OtherBuilder['extension']
  /** Makes a builder that has not built anything yet. */
  readonly open: () => Builder
}

/**
 * Returns a function that measures one round of builds of a site: with pictures kept, over the last build, without the
 * last build, and after a change. The first build is measured once.
 */
async function openSite({ folder, posts, extension = 'mdx', open }: Site) {
  writePosts(join(folder, 'content/posts'), posts, extension)
  let builder = open()
  const buildOver = async () => {
    const from = performance.now()
    await builder.build(folder)
    return (performance.now() - from) / 1000
  }
  const measure = () => {
    builder.clear(folder)
    return buildOver()
  }
  const forget = () => {
    for (const name of [outFolder, '.astro']) putAway(folder, name)
    builder = open()
  }
  const firstSeconds = await measure()
  let revision = 0
  return async (): Promise<Sample> => {
    forget()
    const coldSeconds = await measure()
    const idleSeconds = await buildOver()
    const againSeconds = await measure()
    const middle = Math.floor(posts / 2)
    writeFileSync(join(folder, `content/posts/post-${middle}.${extension}`), generatedPost(middle, ++revision))
    return {
      [first]: firstSeconds,
      [cold]: coldSeconds,
      [idle]: idleSeconds,
      [again]: againSeconds,
      [changed]: await measure(),
    }
  }
}

/** The same posts with builders other than Astro, as far as they are installed. */
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
    const { extension, build } = builder
    peers[name] = await openSite({ folder, posts: builtPosts, extension, open: () => ({ clear, build }) })
  }
  return { peers, missing }
}

/** Our site and the bare Astro site with the same number of posts. */
async function openBoth({ newFolder }: Bench, posts: number) {
  const [ourFolder, bareFolder] = [newFolder(), newFolder()]
  writeOurs(ourFolder)
  writeBareAstro(bareFolder, root)
  const bare = await openSite({ folder: bareFolder, posts, open: () => bareAstro })
  return { ours: await openSite({ folder: ourFolder, posts, open: openOurs }), bare }
}

const goals: Row['goals'] = [
  { measure: idle, peer, is: 'at most', ratio: 0.35 },
  { measure: again, peer, is: 'at most', ratio: 0.35 },
  { measure: changed, peer, is: 'at most', ratio: 0.4 },
  { measure: cold, peer, is: 'at most', ratio: 1.5 },
]
const kinds =
  'Ours is all that `npm run build` does: covers, cards, feeds, markdown alternates, both search indexes, compressed forms, the files of the game and the programs. Pictures and content outlive a build on all sides, so the first build, which draws the pictures of the newest posts and names the others for the running site to draw, is a measure of its own; *pictures kept, and nothing else* is a build whose pages nobody has made before. After that the same command is given again (*nothing changed at all*; ours sees that by the digests of all it reads, and makes nothing); then its result is put out of the way and made again of the same posts; and then one has a new title, and with it a new cover.'

const unchanged = [again, changed].map((measure) => ({
  measure,
  peer,
  because:
    'Neither Astro nor a bundler is started: the program that Astro bundled for the last build is run again over the posts of now. Pages, compressed forms, scripts and programs that did not change are taken from that build, and so is what is made of single texts for feeds, exports, search and narration. What is left is that the program is loaded, that each post is named by all that its page shows, which says whether it is the same, that feeds and exports are written anew, and, where a post changed, that lists are, too, and that Pagefind reads all pages. Tried: pages are taken by the keys of what they show (2.8 times bare Astro before); scripts, programs and compressed forms by the digest of what they are made of; posts without components are compiled by themselves and not as modules of the bundle; what is made of single texts is kept, each skill is read once, and Pagefind reads while the other index is written (with the last two 23.3 and 22.7 s became 15.8 and 17.9, old and new in turns on a slow machine, 2026-11-26); pages that are taken lie there as they are served at once, and what was kept of texts is copied in one statement (2,000 posts: 29.7, 26.3, 26.8, 26.7 and 25.9 s in place of 34.8, 26.8, 27.9, 29.0 and 28.0, in turns, 2026-11-26); the kept bundle (1.08 and 1.15 times bare Astro before, on a machine as slow, 2026-11-27), with which the texts of exports are kept, too, and files that were taken are not read again to be listed; and where nothing at all changed, nothing is started. Where every published post says the same, as after an edit of a draft, each page without a key of its own and the index of Pagefind are taken, and each tag has a key (7.2 s of processor time in place of 12.3 for a changed post, 1,000 posts on a busy machine, 2026-11-28). Since 2026-11-28 posts are rendered before lists, feeds and exports, so that Pagefind reads their pages while those are rendered, links are checked before its index is there, pages of products and errors have a key, and the code of build programs is kept compiled, which loads it in 0.56 s in place of 0.87 (unchanged 0.33 and one changed 0.53 times bare Astro in place of 0.49 and 0.59, on a machine 1.3 times as fast). Since 2026-11-29 feeds of tags and authors whose posts are the same are taken, each input is read twice in place of five times, and texts that no page shows are made once Pagefind has begun (4.9 s in place of 5.8, six of each in turns). On 2026-11-29 it took 4.4 s at the end of a whole bench run and 3.3 s by itself an hour later, with the same code, and bare Astro took 8.6 and 6.7 s: the machine is not as fast at every hour, for both. On the evening of 2026-11-28 one changed post took 0.47 and 0.49 times bare Astro in two runs, after 0.39 that day with code that is as fast in turns with it (5.5 s in place of 5.4, five of each, and 5.4 in place of 5.2, eight of each): so much the ratio scatters here. Related posts are found by numbers of words (140 ms in place of 240 for 1,000 posts), texts that are sold are encoded once, and the long lists are pages of fifty posts: 5.1 s in place of 5.2 for the program alone, six of each in turns, because the two processors are busy with all the rest. Since 2026-11-30 pages as they were written, with their placeholders, lie beside each other and have no folders of their own, because a folder takes longer to make than a file (3.6 s in place of 4.2 for one changed post, 2.0 in place of 2.4 where none changed, medians of six in turns). Since the evening of that day Pagefind reads the pages of the last build as soon as it is known that they are the same, and each other one when it was rendered, and those of its thousand files that are the same are taken over: it is done before the rest is (3.3 to 3.6 s in place of 4.4 to 4.7 for one changed post, six of each, in turns). In a run later that day every build of ours took an eighth longer than in the one before, also where nothing was changed in the code (posts unchanged 2.0 s in place of 1.7), and bare Astro did not. Four fifths of what making folders takes, 0.3 s a build by perf, is ext4 passing over the inodes that were freed in the last minutes, so builds soon after many files were removed take longer. Pagefind started while posts are read, 0.7 s before it has a page, made no difference (3.2 to 3.7 s in place of 3.3 to 3.5, six of each in turns), because both cores are busy: only less work takes less time. Tried and left: all folders made by a thread while posts are read, which takes 1.1 s for what takes 0.35 otherwise, because the system makes folders one after the other; larger room for young objects (11.4 s of processor time in place of 12.3, for 64 MB more memory; no difference in five builds of 5,000 posts in turns); and putting eight pages in place at once (5,000 posts: 19.4, 20.9 and 20.1 s; four: 19.0, 19.3 and 18.8; one: 18.8, 23.0 and 20.7), because the system puts files in place one after the other.',
  profile: {
    of: 'a build of 1,000 posts of which one changed, 3.4 s by the clock of its steps, 2026-11-30',
    percent: {
      'loading the programs, reading what is new of the posts, taking the bundle': 23,
      'what pages show': 18,
      'taking over pages': 17,
      'lists, tags and feeds': 21,
      'search index, pictures, listing files, links': 14,
      'kept texts, the list of files, ending': 7,
    },
  },
}))

/** Causes for the comparison with builders other than Astro. */
const others = ['Eleventy', 'Hugo'].flatMap((other) =>
  measured.map((measure) => ({
    measure,
    peer: other,
    because:
      'It reads Markdown into a template; Astro first bundles a program that renders the pages, and then runs it, which takes bare Astro 4 to 10 times as long as Eleventy and 14 to 27 times as long as Hugo where posts are unchanged (2026-11-26 and 27); neither was profiled. The rest is what ours makes beside pages: see the lines beside bare Astro.',
  })),
)

const causes: NonNullable<Row['causes']> = [
  ...unchanged,
  ...others,
  {
    measure: cold,
    peer,
    because:
      'Of each post ours writes the page, the markdown, the compressed forms of both, its rows of the search and its place in the feeds, finds related posts, and colours its code. Tried: posts without components are compiled by themselves and not as modules of the bundle, and once for their page and all documents (twice before); pictures are drawn once for three uses, and named once for all pages that show them; compression runs in threads, on both cores, with a window that fits the page (the usual one takes 17 times the work), and begins while pages are rendered (34.6 s in place of 36.6, four of each in turns, 2026-11-26); skills, which no page shows as Astro renders them, are not rendered. Since 2026-11-28 texts are compiled, files compressed and the search index written in threads, the programs are bundled in a process of their own meanwhile, and bundlers hand over only the modules that are changed (20.5 s in place of 24.5, four of each in turns). More room for young objects (64 MB in each half in place of 16) took as much processor time (44 and 49 s in place of 44 and 48); less of it (8 MB) takes a tenth less memory, and 22.9, 23.7 and 19.7 s in place of 23.0, 24.3 and 24.3, in turns (2026-11-29; one changed post 7.5, 7.2 and 6.1 s in place of 7.7, 7.4 and 8.1). Without the compiler for code that runs often (`--no-turbofan`): 17.9 s in place of 18.7, not taken, because it costs larger sites more. Since the evening of that day Node.js loads the settings of the content, where Vite transformed 75 modules of Astro for them (1.5 s by a profile), texts become markup when they are compiled, brotli works at level 8 in place of 9 (0.8 s of processor time in place of 1.6, a third of a per cent more bytes), pages are written and named in one pass, endpoints are bundled and Pagefind reads meanwhile, and the bundler takes small pages of memory, because clearing large ones was 5 % of a build (15.5 s in place of 21.1 for all of it together, three of each in turns). Since 2026-11-30 gzip works at level 6 in place of 9 (0.63 s of processor time in place of 0.8, a sixth of a per cent more bytes), the head of the page, its foot and the player are rendered once and not for each page (0.2 s), and Pagefind reads each page when it was rendered (no difference here). Tried and left: the programs bundled at low priority (17.1 s in place of 16.8); functions made fast only after four times as many calls (12.6, 14.9 and 15.2 s in place of 13.8, 14.1 and 14.5, in turns); and no compressed form written at all, to see what one file for all of them could save at most (12.3, 12.6 and 12.1 s in place of 13.2, 12.4 and 12.5). What is left is work: 20 s of processor time on two cores, both of which are busy nine tenths of the time.',
    profile: {
      of: 'both cores during such a build of 1,000 posts, by perf, without waiting, 2026-11-28, before bundlers handed over fewer modules',
      percent: {
        'the thread that renders pages and documents': 42,
        "bundlers' threads (pages, endpoints, programs)": 17,
        'compiling texts, compressing, writing the search index': 16,
        "V8's threads: garbage collection, compiling code": 14,
        Pagefind: 5,
        'reading and writing files': 4,
        'the rest': 2,
      },
    },
  },
  {
    measure: first,
    peer,
    because:
      'What a build with kept pictures takes, and the pictures of the newest 24 posts, in four widths each, samples of three styles, and cards for all that is sold. All others are left to the running site, which took this from 59 times bare Astro to what it is. Since 2026-11-29 the processes that draw keep the memory that they free for the next picture, where the system mapped and cleared each buffer anew (24 posts alone 5.0 s in place of 16, 92,000 first touches of a page of memory in place of 940,000; a first build 38 s in place of 58). Tried beside that: the least effort of the AVIF encoder (two thirds of its time, but 30 % more bytes for prints at 1 dB less: not taken); cover, card and square come from one drawing; drawing takes both cores; the engine was made faster (see *Images*); and drawing while pages are rendered, which took as long (58.8 s in place of 57.9, two of each in turns, 2026-11-26), because both cores are busy as it is, and was taken out again.',
  },
]

/** What covers, cards, feeds, markdown alternates and two search indexes cost beside Astro alone. */
export const siteBuild: Row = {
  title: 'Build of a site',
  meaning: `The same 1,000 generated posts, built by us, and by Astro, Eleventy and Hugo with a page per post, a list of them and nothing else (Astro reads them as MDX, as we do, the others as Markdown). ${kinds} Three rounds.`,
  measures: measured.map((name) => ({ name, unit: 's', digits: 1 })),
  goals: [...goals, { measure: first, peer, is: 'at most', ratio: 3 }],
  causes,
  mostRounds: 3,
  async start(bench) {
    const { ours, bare } = await openBoth(bench, bench.builtPosts)
    const { peers, missing = {} } = await openOthers(bench)
    return { ours, peers: { [peer]: bare, ...peers }, missing }
  },
}

const exponentOf = (measure: string): string => `${measure}: exponent`

/** Causes with many posts, where only work that grows with the posts matters. */
const causesOfMany: NonNullable<Row['causes']> = [
  ...[again, changed].map((measure) => ({
    measure,
    peer,
    because:
      'In runs before 2026-11-28 the posts after the 2,500th were dated in the future: each of them was drawn as a preview in every build, and was in no list. With many posts the start of Astro and its bundling, which builds of changed posts do without since 2026-11-27 (see *Build of a site*), were a quarter of the time with 2,000 posts and less with more; the rest grows with the posts. For each of them its page, its markdown and its pictures are named by what they show, to see that they are the same, some ten files are put in place and listed, it is written into lists, feeds and exports, and Pagefind reads it. Tried beside what stands with *Build of a site*: related posts are found without a list of all pairs (20,000 posts: 6.6 s of processor time in place of 43.8, with the same result), the links of texts are kept, and what is kept of texts is written over a copy of the file of the last build, where all of it was written twice (2026-11-28); posts, their pictures and the digests of what pages show of them are asked for once in a build, texts in HTML are read for feeds alone, and what search finds stays in memory on its way to the index (2026-11-28: 0.35 and 0.56 times bare Astro in place of 0.41 and 0.65). Where all posts are the same, exports, texts for narration, the search index and which posts are related are taken from the last build (5,000 unchanged posts: 9.1 s of processor time in the program that makes the pages, in place of 20.3; the machine was less busy the second time, so part of that is its speed). Pagefind reads the pages of posts while lists, feeds and exports are rendered, and links are checked meanwhile: with 5,000 posts the build waited for it for a third of its time before (one changed 13.9 s in place of 17.8, 2026-11-28). What is left is putting files in place, some ten for each post, so that two fifths of the processor time are spent in the operating system.',
    profile: {
      of: 'a command of Astro over 2,000 unchanged posts, 29 s by the phases of its main thread (--cpu-prof), 2026-11-26, before the bundle was kept and taken pages lay there as they are served',
      percent: {
        'start and settings': 12,
        'reading what is new of the posts': 8,
        bundling: 14,
        'what pages show, exports, documents for search': 17,
        'taking over pages': 7,
        'lists, tags and feeds': 14,
        'places for narrations': 7,
        'search index': 3,
        'listing files': 10,
        'waiting for Pagefind': 5,
        'links and kept texts': 3,
      },
    },
  })),
  ...[cold, first].map((measure) => ({
    measure,
    peer,
    because:
      'See *Build of a site*: the same work for each post, and for 24 of them pictures. It takes us less for each post the more there are, and bare Astro nearly as much.',
  })),
  ...measured.map((measure) => ({
    measure: exponentOf(measure),
    peer,
    because:
      'Both take less time for each post the more there are. A hundredth is no difference that one round can tell.',
  })),
]

/** The same with more posts, and how the time grows with them. */
export const toLargeBuild = (posts: number): Row => ({
  title: `Build of ${posts.toLocaleString('en')} posts`,
  meaning: `${posts.toLocaleString('en')} generated posts, built by us and by bare Astro. ${kinds} The *exponent* is that of the number of posts in the time, from 1,000 posts in the same round: at 1, each post takes as long as with few of them. One round, and none to warm up: each build is a process of its own, and the first one has read all files.`,
  measures: [
    ...measured.map((name) => ({ name, unit: 's', digits: 1 })),
    // The time per post must not grow with the number of posts.
    ...measured.map((name) => ({
      name: exponentOf(name),
      unit: '',
      digits: 2,
      limit: { is: 'at most' as const, figure: 1 },
    })),
  ],
  goals,
  causes: causesOfMany,
  mostRounds: 1,
  hasNoWarmUp: true,
  isOnlyNamed: true,
  async start(bench) {
    const [few, many] = [await openBoth(bench, bench.builtPosts), await openBoth(bench, posts)]
    const compare = (small: Contenders['ours'], large: Contenders['ours']) => async (): Promise<Sample> => {
      const [less, more] = [await small(), await large()]
      const toExponent = (name: string): number =>
        Math.log((more[name] ?? Number.NaN) / (less[name] ?? Number.NaN)) / Math.log(posts / bench.builtPosts)
      return { ...more, ...Object.fromEntries(measured.map((name) => [exponentOf(name), toExponent(name)])) }
    }
    return { ours: compare(few.ours, many.ours), peers: { [peer]: compare(few.bare, many.bare) } }
  },
})
