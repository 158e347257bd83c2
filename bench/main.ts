// `npm run bench`: compares our servers with others in one run on one machine; writes docs/performance.md from
// bench/history.json.
// Further arguments choose rows by name: only these are measured and written anew. `-- --quick` runs short rounds and
// only prints the table.
// `-- --profile` prints the table and the processor time of our site by folder and package.
// `-- page` writes the page and its charts again without measuring.
// `-- soak` keeps a live shop under load for two hours; `-- soak --minutes 6` for six minutes.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuild } from '../src/build/build.ts'
import { readConfig } from '../src/config/config.ts'
import { startMoney } from '../tests/support/money.ts'
import { testBaseUrl } from '../tests/support/running-site.ts'
import { areas } from './all-rows.ts'
import { readCommit } from './commit.ts'
import { compare } from './compare.ts'
import { readProfiles, shareOut } from './cpu-profile.ts'
import type { Run } from './history.ts'
import { measureSpeed } from './machine-speed.ts'
import { watchOtherWork } from './other-work.ts'
import { toTable } from './performance-page.ts'
import type { Row } from './row.ts'
import { soak } from './soak/soak.ts'
import { keepRun, writePage } from './write-page.ts'

const rows = new Map(areas.flatMap((area) => Object.entries(area.rows)))
const root = fileURLToPath(new URL('../', import.meta.url))
/** The type of tmpfs (statfs(2)): in memory nothing is durable, and syncing costs no time. */
const tmpfs = 0x01021994

const options = ['--quick', '--profile']
const quickly = { rounds: 5, seconds: 0.5, purchases: 5, posts: 500, builtPosts: 40 }
const thoroughly = { rounds: 11, seconds: 1, purchases: 15, posts: 10_000, builtPosts: 1000 }

/** The requested rows; without names, all except those that take hours. */
function chooseRows(named: readonly string[]): [name: string, row: Row][] {
  const unknown = named.filter((name) => !rows.has(name))
  if (unknown.length > 0)
    throw new Error(`no row is called ${unknown.join(', ')}; there are ${[...rows.keys()].join(', ')}`)
  return [...rows].filter(([name, row]) => (named.length === 0 ? !row.isOnlyNamed : named.includes(name)))
}

/** Measures rows one after another; returns the exit code. */
async function compareRows(given: readonly string[]): Promise<number> {
  const chosen = chooseRows(given.filter((argument) => !options.includes(argument)))
  const [isQuick, isProfile] = options.map((option) => given.includes(option))
  const { rounds: mostRounds, ...figures } = isQuick ? quickly : thoroughly
  const about = {
    commit: readCommit(root),
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node.js ${process.version}, ${process.platform} ${process.arch}`,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  }
  const folder = mkdtempSync(join(root, '.data-bench-'))
  const money = await startMoney()
  try {
    if (statfsSync(folder).type === tmpfs)
      throw new Error(`${folder} is in memory; durable writes are measured on a disk`)
    const log = (line: string) => console.log(`bench: ${line}`)
    const build = await ensureBuild(readConfig({ BASE_URL: testBaseUrl, PORT: '0' }), { log })
    const newFolder = () => mkdtempSync(join(folder, 'site-'))
    const measureRow = async (row: Row): Promise<Run> => {
      const profiles = isProfile ? newFolder() : undefined
      const bench = { build, money, newFolder, ...figures, ...(profiles !== undefined && { profiles }) }
      const rounds = Math.min(mostRounds, row.mostRounds ?? mostRounds)
      const speedBefore = measureSpeed()
      const othersSince = watchOtherWork()
      const compared = await compare(row, bench, rounds)
      const others = othersSince()
      const speed = Math.round((speedBefore + measureSpeed()) / 2)
      if (profiles !== undefined) console.log(shareOut(readProfiles(profiles), root))
      const date = new Date().toISOString().slice(0, 10)
      return { date, ...about, ...(others !== undefined && { others }), speed, rounds, ...compared }
    }
    const results: { row: Row; run: Run }[] = []
    const failures: string[] = []
    for (const [name, row] of chosen) {
      log(row.title)
      // Each row is stored at once: a whole bench takes hours, and a failure must not lose the rows before it.
      try {
        const run = await measureRow(row)
        if (!isQuick && !isProfile) keepRun(root, name, run)
        results.push({ row, run })
        console.log(toTable(results.slice(-1)))
      } catch (error) {
        console.error(error)
        failures.push(name)
      }
    }
    console.log(`\n${toTable(results)}`)
    if (failures.length > 0) console.error(`bench: failed and not written: ${failures.join(', ')}`)
    return failures.length > 0 ? 1 : 0
  } finally {
    await money.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [first, ...others] = process.argv.slice(2)
if (first === 'soak') process.exitCode = await soak(others)
else if (first === 'page') writePage(root)
else process.exitCode = await compareRows(process.argv.slice(2))
