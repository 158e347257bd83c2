import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { postgresFiles } from './tests/support/postgres-files.ts'

/** What else keeps this machine busy, in cores: as many more workers get the tests their share of it. */
const otherWork = Number(process.env['TEST_OTHER_WORK'] ?? 0)

/** One for all levels: a worker that goes on with another project is started anew, and loads and compiles everything. */
const onSqlite = { extends: true as const, test: { name: 'sqlite', include: ['tests/!(postgres)/**/*.test.ts'] } }

/** The same promises on the other engine, once its server is there. */
const onPostgres = {
  extends: true as const,
  test: { name: 'postgres', include: [...postgresFiles], env: { TEST_ENGINE: 'postgres' } },
}

const projects =
  process.env['TEST_ENGINE'] === 'postgres'
    ? [onPostgres]
    : process.env['TEST_POSTGRES']
      ? [onSqlite, onPostgres]
      : [onSqlite]

export default defineConfig({
  test: {
    // Beside other work a machine is several times slower; only what hangs takes as long as this.
    testTimeout: 300_000,
    // Programs that a file starts may wait for those of another.
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // For every program that a test starts: at low priority, work starves while other files use the machine.
    env: { WORKER_PRIORITY: 'usual' },
    // What is new stays in the caches of the processor: a tenth less time than with the default of 16 MB.
    execArgv: ['--max-semi-space-size=4'],
    // More than cores: most files wait for programs they started.
    maxWorkers: availableParallelism() + 2 + otherWork,
    projects,
    sequence: { sequencer: LongestFirst },
    // Tests leave nothing behind in their process, so that modules are loaded once for many files of them.
    isolate: false,
    // Node runs the code as it runs the programs, and keeps what it compiled; Vite would transform each module first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['tests/support/leave-no-state.ts'],
  },
})
