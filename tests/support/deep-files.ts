/**
 * Tests that run in depth alone, or when somebody names them: they try on a small, full or bare machine what other tests
 * try on a usual one, or judge what only a change of one engine can alter.
 */
export const deepFiles: readonly string[] = [
  'tests/backups/restored-owners.test.ts',
  'tests/crash/full-disk-start.test.ts',
  'tests/http/production-install.test.ts',
  'tests/http/small-machine.test.ts',
  'tests/media/covers-review.test.ts',
  'tests/media/decoded-narration.test.ts',
]
