// `npm run bench`: our servers beside others, in one run on one machine; writes docs/performance.md.
// Further words choose rows by their file, which get a section of their own there; `-- --quick` runs short rounds and
// prints the table only.
// `-- soak` keeps a live shop under load for two hours; `-- soak --minutes 6` for six minutes.
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuild } from '../src/build/build.ts'
import { readConfig } from '../src/config/config.ts'
import { startMoney } from '../tests/support/money.ts'
import { testBaseUrl } from '../tests/support/running-site.ts'
import { compare } from './compare.ts'
import { keepSection, withSection } from './kept-section.ts'
import { type RowResult, toPerformancePage, toRowSection, toTable } from './performance-page.ts'
import type { Row } from './row.ts'
import { siteBuild } from './rows/build.ts'
import { footprint } from './rows/footprint.ts'
import { gameHosts } from './rows/game-hosts.ts'
import { gameLimits } from './rows/game-limits.ts'
import { gameLoad } from './rows/game-load.ts'
import { hostileCrowd } from './rows/hostile-crowd.ts'
import { hostilePages } from './rows/hostile-pages.ts'
import { images } from './rows/images.ts'
import { ledgerSize, ledgerSizePostgres } from './rows/ledger-size.ts'
import { narration } from './rows/narration.ts'
import { pack } from './rows/pack.ts'
import { paidRequest } from './rows/paid-request.ts'
import { search } from './rows/search.ts'
import { severalSites } from './rows/several-sites.ts'
import { staticPage } from './rows/static-page.ts'
import { textExtraction } from './rows/text-extraction.ts'
import { unpaidAnswers } from './rows/unpaid-answers.ts'
import { soak } from './soak/soak.ts'

const rows: Readonly<Record<string, Row>> = {
  'unpaid-answers': unpaidAnswers,
  'paid-request': paidRequest,
  'ledger-size': ledgerSize,
  'ledger-size-postgres': ledgerSizePostgres,
  'several-sites': severalSites,
  'static-page': staticPage,
  search,
  images,
  narration,
  pack,
  'hostile-crowd': hostileCrowd,
  'hostile-pages': hostilePages,
  'text-extraction': textExtraction,
  'game-load': gameLoad,
  'game-limits': gameLimits,
  'game-hosts': gameHosts,
  footprint,
  build: siteBuild,
}
const root = fileURLToPath(new URL('../', import.meta.url))
/** The type of a file system in memory (statfs(2)): nothing is durable there, and nothing costs time. */
const tmpfs = 0x01021994

/** Runs the rows that are asked for, all when none is named. */
async function compareRows(given: readonly string[]): Promise<void> {
  const isQuick = given.includes('--quick')
  const chosen = given.filter((argument) => argument !== '--quick')
  const unknown = chosen.filter((name) => !(name in rows))
  if (unknown.length > 0)
    throw new Error(`no row is called ${unknown.join(', ')}; there are ${Object.keys(rows).join(', ')}`)
  const figures = isQuick
    ? { rounds: 5, seconds: 0.5, purchases: 5, posts: 500, builtPosts: 40 }
    : { rounds: 11, seconds: 1, purchases: 15, posts: 10_000, builtPosts: 1000 }

  const load = loadavg()[0]?.toFixed(1)
  const folder = mkdtempSync(join(root, '.data-bench-'))
  const money = await startMoney()
  try {
    if (statfsSync(folder).type === tmpfs)
      throw new Error(`${folder} is in memory; durable writes are measured on a disk`)
    const log = (line: string) => console.log(`bench: ${line}`)
    const build = await ensureBuild(readConfig({ BASE_URL: testBaseUrl, PORT: '0' }), { log })
    const newFolder = () => mkdtempSync(join(folder, 'site-'))
    const results: RowResult[] = []
    for (const [name, row] of Object.entries(rows)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue
      log(row.title)
      const rounds = Math.min(figures.rounds, row.mostRounds ?? figures.rounds)
      const result = { name, row, comparisons: await compare(row, { build, money, newFolder, ...figures }, rounds) }
      // Some rows take a quarter of an hour, and what is measured should not wait for them.
      console.log(toTable([result]))
      results.push(result)
    }
    console.log(`\n${toTable(results)}`)
    if (!isQuick) {
      const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node.js ${process.version}, ${process.platform} ${process.arch}; load average before the run ${load}`
      const date = new Date().toISOString().slice(0, 10)
      const file = join(root, 'docs/performance.md')
      const before = readFileSync(file, 'utf8')
      const about = { date, machine, rounds: figures.rounds }
      const isWhole = chosen.length === 0
      const page = isWhole
        ? keepSection(before, toPerformancePage(results, about), 'soak')
        : results.reduce((text, result) => withSection(text, result.name, toRowSection(result, about)), before)
      writeFileSync(file, page)
    }
  } finally {
    await money.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [first, ...others] = process.argv.slice(2)
if (first === 'soak') process.exitCode = await soak(others)
else await compareRows(process.argv.slice(2))
