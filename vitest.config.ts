import { availableParallelism, loadavg } from 'node:os'
import { defineConfig } from 'vitest/config'

/** What else keeps this machine busy, in cores: as many more workers get the tests their share of it. */
const otherWork = Math.max(0, Math.min(Math.round(loadavg()[0] ?? 0) - availableParallelism(), 5))

export default defineConfig({
  test: {
    // Beside other work a machine is several times slower; only what hangs takes as long as this.
    testTimeout: 300_000,
    // Programs that a file starts may wait for those of another.
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // For every program that a test starts: at low priority, work starves while other files use the machine.
    env: { WORKER_PRIORITY: 'usual' },
    // More than cores: most files wait for programs they started.
    maxWorkers: availableParallelism() + 1 + otherWork,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      { extends: true, test: { name: 'whole', include: ['tests/!(unit)/**/*.test.ts'] } },
    ],
    // Tests leave nothing behind in their process, so that modules are loaded once for many files of them.
    isolate: false,
  },
})
