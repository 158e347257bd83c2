import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    // Programs that a file starts may wait for those of another.
    hookTimeout: 60_000,
    // By default a machine of two cores runs one file at a time, and most files wait for programs they started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
