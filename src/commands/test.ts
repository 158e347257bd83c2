// `npm test`: sets up what is missing, checks the code, builds the site once, and runs all tests. `npm run test:deep`
// runs the long statistics; further arguments go to vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { findBrowser } from '../../tests/support/browser.ts'
import { deepFiles } from '../../tests/support/deep-files.ts'
import { findPostgres, needsPostgres } from '../../tests/support/postgres-server.ts'
import { startSite } from '../../tests/support/running-site.ts'
import { ensureBuild } from '../build/build.ts'
import { readConfig } from '../config/config.ts'
import { check } from './check.ts'
import { listFailedTests, testResultsSchema } from './failed-tests.ts'
import { runTool } from './run-tool.ts'

const given = process.argv.slice(2)
const isDeep = given.includes('--deep')
const rest = given.filter((argument) => argument !== '--deep')

/**
 * How many cores other programs use, measured before the build and the checks start: as many more workers give the
 * tests their share.
 */
const otherWork = Math.max(0, Math.min(Math.round(loadavg()[0] ?? 0) - availableParallelism(), 5))

/** The tests resolve these names to their own servers; no request leaves the machine. */
const testEnvironment = { BASE_URL: 'http://farthing.test', GAME_URL: 'http://undercroft.test', PORT: '0' }

/**
 * Fills the compile cache for both programs, because compiling is most of the cost of starting one. A program that a
 * test kills never writes its cache.
 */
async function compilePrograms(build: string, folder: string, compiled: string): Promise<void> {
  const nowhere = 'http://127.0.0.1:9'
  const options = { facilitatorUrl: nowhere, rpcUrl: nowhere, build, env: { NODE_COMPILE_CACHE: compiled } }
  for (const program of ['src/site/main.ts', 'game-server/host/main.ts']) {
    const { kill } = await startSite({ ...options, program, dataDir: mkdtempSync(join(folder, 'compiling-')) })
    await kill('SIGTERM')
  }
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: testResultsSchema,
})

async function testAll(): Promise<boolean> {
  const isWhole = rest.length === 0
  const building = ensureBuild(readConfig(testEnvironment), { log: (line) => console.log(`test: ${line}`) })
  // The checks run in parallel with the build and the tests, because many tests only wait for programs.
  const checking = isWhole ? check(building) : Promise.resolve(true)
  const [browser, build, postgres] = await Promise.all([
    findBrowser(),
    building,
    isWhole || needsPostgres(rest) ? findPostgres() : undefined,
  ])

  const folder = mkdtempSync(join(tmpdir(), 'farthing-test-'))
  const compiled = join(folder, 'compiled')
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const test = async (): Promise<boolean> => {
    if (isWhole) await compilePrograms(build, folder, compiled)
    const left = isWhole && !isDeep ? deepFiles.map((file) => `--exclude=${file}`) : []
    return runTool('vitest/vitest.mjs', ['run', ...reporters, ...left, ...rest], {
      live: true,
      env: {
        TEST_BUILD: build,
        TEST_BROWSER: JSON.stringify(browser),
        NODE_COMPILE_CACHE: compiled,
        TEST_OTHER_WORK: String(otherWork),
        // Killed programs leave their temporary folders behind; here they are removed with the run.
        TMPDIR: folder,
        ...(postgres && { TEST_POSTGRES: postgres.url }),
        ...(isDeep && { TEST_FIGURES: 'deep' }),
      },
    })
  }
  const run = async () => {
    try {
      return await Promise.all([checking, test()])
    } finally {
      await postgres?.remove()
    }
  }
  const [checked, tested] = await run()
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = reportSchema.parse(
    JSON.parse(readFileSync(report, 'utf8')),
  )
  const failed = numFailedTests + (checked ? 0 : 1) + (tested || numFailedTests > 0 ? 0 : 1)
  for (const name of listFailedTests(testResults, process.cwd())) console.log(`failed: ${name}`)
  console.log(`${numPassedTests} passed, ${failed} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`)
  // Removed after the results are printed, because a failed test may have left something that cannot be removed.
  rmSync(folder, { recursive: true, force: true })
  return failed === 0
}

process.exit((await testAll()) ? 0 : 1)
