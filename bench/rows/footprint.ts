import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { toProgramEnvironment } from '../../src/config/program-environment.ts'
import { gameMemory, smallMemory, smallYoungGeneration } from '../../src/core/small-memory.ts'
import { findFreePorts } from '../../tests/support/free-ports.ts'
import { residentMb } from '../../tests/support/resident-mb.ts'
import { type SiteOptions, startSite } from '../../tests/support/running-site.ts'
import { installBytes } from '../install-size.ts'
import { writeAstroStandalone } from '../peers/astro-standalone.ts'
import type { Bench, Row, Sample } from '../row.ts'
import { earlierFolder, findEarlierSite } from '../start-earlier-site.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const memory = 'resident when idle'
const start = 'from start to the first answer'
const gameStart = 'game host, from start to the first answer'
const install = 'packages of a production install'
const peer = 'Astro standalone'
const earlier = 'earlier'
const requests = 20
/**
 * More than twice the interval at which our idle programs return memory (`src/http/return-memory.ts`), so that the
 * memory that starting took has been released.
 */
const idleMs = 25_000

/** The memory, disk space and starting time that a small machine needs. */
export const footprint: Row = {
  title: 'Footprint',
  meaning:
    "The site program of a production build, with its ledger, sign-in, tools and search, beside the smallest site that Astro's own server renders (`output: 'server'`, one page). *From start* is until the front page is answered, of the site's or of the game host beside it; *resident* is the memory of the process as `ps` shows it, 25 seconds after 20 requests. The environment is that of our units of systemd for both. *Packages* is what `npm ci --omit=dev` puts on the disk: ours, which build the site, draw its pictures and speak, too, and `astro` with `@astrojs/node`. For comparison, Ghost's makers ask for a server with at least 1 GB of memory, and for MySQL 8 on it (https://docs.ghost.org/install/ubuntu, looked up on 2026-11-23). Five rounds.",
  measures: [
    { name: memory, unit: 'MB', digits: 0, limit: { is: 'at most', figure: 130 } },
    { name: start, unit: 'ms', digits: 0, limit: { is: 'at most', figure: 1500 } },
    { name: gameStart, unit: 'ms', digits: 0, limit: { is: 'at most', figure: 500 } },
    { name: install, unit: 'MB', digits: 0 },
  ],
  goals: [{ measure: memory, peer, is: 'at most', ratio: 1.5 }],
  causes: [
    {
      measure: memory,
      because:
        'Ours holds a ledger, a sign-in, tools, a search index and every route of a whole site; the other holds one page.',
    },
    {
      measure: start,
      because:
        'Ours opens its books, its jobs and the routes of a whole site before it listens; the other has nothing to open. A third of it is memory: on 2026-11-29 this machine took 16 µs for each page that is touched first, and a start touched 21,600. With blocks of 64 KB in place of 32 mapped by themselves it touches 17,500, and takes 1,059 ms in place of 1,149 in turns; that is in. With large pages for the heap, too, 13,100 and 895 ms; that is not, because the site kept 131 MB then in two of nine runs of the test that allows 130.',
    },
    {
      measure: gameStart,
      because:
        'The host reads 1.2 MB of code, makes its schemas, and in the empty folder of this row its tables, too. Started turn by turn with the one before on a slow machine, 2026-11-26: without the package of the tool servers, which is loaded with the first call now, with the documents for crawlers made when they are asked for, and with numbers grouped without the tables of languages, it takes 746 ms in place of 938 (processor time 633 for 762). Then, in turns with helpers beside it: with what signs payments loaded for the first one, only the questions to the chain that we ask, the settings read without compiling code for their schema, and the program bundled by itself (7 files in place of 47), 665 in place of 706 and 623 in place of 682 (processor time 585 for 648, 581 for 648; 19 rounds each). Tried: code that V8 kept compiled from an earlier start would take 682; it was not built, because the folder of the build is only read by the programs, and code from a folder of data is not to be run. Over the books of an earlier start it takes 670. With a young generation of 16 MB from the beginning it took 8 % less processor time; what it costs in memory was not measured, and it was not built. On 2026-11-29, in an hour in which memory that is touched first took 16 µs a page, it took 565 ms and touched 14,200 pages; with blocks of 64 KB in place of 32 mapped by themselves 12,200 pages and 503 ms, and with large pages for the heap, too, 9,400 and 450 ms (15 rounds in turns; 659, 534 and 495 ms in six rounds with 12 s of rest before each start); both are in, and in the row that followed the same start took 467 ms in one round and 638 in the median. Tried then: code that V8 kept compiled, 469 ms in place of 503, and 439 in place of 455 with large pages; ten options of V8, none of them faster. On 2026-11-30 a start-up snapshot of Node.js was tried, which would keep modules loaded and schemas made: v24.21 writes none that has node:http or node:sqlite in it.',
      profile: {
        of: 'five starts of the host to its first answer and its end, by --cpu-prof, on a slow machine, 2026-11-26',
        percent: {
          "Node's own modules and its HTTP server": 18,
          'compiling our code': 13,
          'SQLite, which makes the tables': 14,
          'schemas (Zod)': 12,
          'other code': 17,
          'building queries (Kysely)': 10,
          fetch: 4,
          'garbage collection': 4,
          'the rest': 8,
        },
      },
    },
    {
      measure: install,
      because: 'Both have Astro. What ours has beside it is what it draws, speaks, searches and settles with.',
      profile: {
        of: 'of 403 MB, Astro with all that it needs, and each other by how much less there would be without it; 2026-11-24',
        percent: {
          'Astro and its server': 42,
          'satori (pictures)': 9,
          'flite (speech)': 5,
          'Pagefind (search)': 3,
          '@x402/evm': 3,
          'MCP server': 2,
        },
      },
    },
  ],
  mostRounds: 5,
  async start(bench) {
    const folder = bench.newFolder()
    writeAstroStandalone(folder, root)
    const outDir = join(folder, 'dist')
    await runAstroBuild({ root: folder, outDir, env: toProgramEnvironment(process.env) })
    const toMb = (bytes: number): number => bytes / 1e6
    const our = toMb(installBytes(root))
    const their = toMb(installBytes(root, ['astro', '@astrojs/node']))
    const before = earlierFolder === undefined ? undefined : findEarlierSite(earlierFolder)
    return {
      ours: async () => ({
        ...(await measureOurs(bench, { build: bench.build })),
        [gameStart]: await measureGameStart(bench),
        [install]: our,
      }),
      peers: {
        ...(before && { [earlier]: () => measureOurs(bench, { build: before.build, ...before.place }) }),
        [peer]: async () => ({ ...(await measureAstro(join(outDir, 'server/entry.mjs'))), [install]: their }),
      },
    }
  },
}

type Program = Pick<SiteOptions, 'build' | 'program' | 'root'>

const startOurs = ({ money, newFolder }: Bench, program: Program, settings: SiteOptions['env'] = {}) =>
  startSite({
    ...money,
    ...program,
    dataDir: newFolder(),
    env: { NODE_ENV: 'production', ...smallMemory, ...settings },
  })

async function measureOurs(bench: Bench, program: Program): Promise<Sample> {
  const from = performance.now()
  const site = await startOurs(bench, program, { NODE_OPTIONS: smallYoungGeneration })
  try {
    return await measure(site.child.pid, `http://127.0.0.1:${site.port}/`, from)
  } finally {
    await site.kill('SIGTERM')
  }
}

async function measureGameStart(bench: Bench): Promise<number> {
  const from = performance.now()
  const program = { build: bench.build, program: 'game-server/host/main.ts' }
  const game = await startOurs(bench, program, { ...gameMemory, GAME_PORT: '0' })
  try {
    return await msUntilAnswer(`http://127.0.0.1:${game.port}/`, from)
  } finally {
    await game.kill('SIGTERM')
  }
}

async function measureAstro(entry: string): Promise<Sample> {
  const port = await findFreePorts()
  const from = performance.now()
  const env = {
    ...toProgramEnvironment(process.env),
    NODE_ENV: 'production',
    ...smallMemory,
    NODE_OPTIONS: smallYoungGeneration,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
  const child = spawn(process.execPath, [entry], { env, stdio: 'ignore' })
  const gone = once(child, 'exit')
  try {
    return await measure(child.pid, `http://127.0.0.1:${port}/`, from)
  } finally {
    child.kill('SIGKILL')
    await gone
  }
}

const get = async (url: string) => (await fetch(url)).arrayBuffer()

async function msUntilAnswer(url: string, from: number): Promise<number> {
  while (
    !(await get(url).then(
      () => true,
      () => false,
    ))
  )
    await wait(5)
  return performance.now() - from
}

async function measure(pid: number | undefined, url: string, from: number): Promise<Sample> {
  const startMs = await msUntilAnswer(url, from)
  for (let count = 0; count < requests; count++) await get(url)
  await wait(idleMs)
  return { [memory]: residentMb(pid), [start]: startMs }
}
