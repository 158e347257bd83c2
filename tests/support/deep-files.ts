/**
 * Tests that run only in depth or when they are named: they run on a small, full or bare machine what other tests run
 * on a usual one, or test what only a change of an engine can alter.
 */
export const deepFiles: readonly string[] = [
  'tests/backups/restored-owners.test.ts',
  'tests/crash/full-disk-start.test.ts',
  'tests/http/production-install.test.ts',
  'tests/http/small-machine.test.ts',
  'tests/media/covers-review.test.ts',
  'tests/media/decoded-narration.test.ts',
]
