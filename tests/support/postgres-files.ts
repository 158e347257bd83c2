const isDeep = process.env['TEST_FIGURES'] === 'deep'

/** Tests that run on PostgreSQL in every run: the ledger, its jobs, and most of what only PostgreSQL has. */
const usual = [
  'tests/postgres/!(backups|deployed-several|lost-moves|move|shared-limits|storm|two-shops).test.ts',
  'tests/unit/{ledger,jobs,read-when-changed}.test.ts',
]

/**
 * Further tests that run on PostgreSQL in depth. Left out are tests of SQLite files (full disks, torn logs, fsync, file
 * permissions, backups of files), and tests with too many attempts to repeat (memory growth, the buying program).
 */
const more = [
  'tests/postgres/{backups,deployed-several,lost-moves,move,shared-limits,storm,two-shops}.test.ts',
  'tests/backups/recover-from-chain.test.ts',
  'tests/promises/!(soak).test.ts',
  'tests/attacks/!(read-the-data-folder|more-than-the-limit).test.ts',
  'tests/crash/!(full-disk|full-disk-start|p5-acknowledged-rows|p6-torn-wal|two-game-hosts).test.ts',
  'tests/http/!(jobs).test.ts',
  'tests/game/{accounts,cup,host-resume,store-credits,store-entitlements,store-payments,wall}.test.ts',
  'tests/unit/{cron-health,emails,operating,owners,retention,sales-statistics,scheduler,wallet-data,webhooks}.test.ts',
]

/** The tests that run on PostgreSQL: any test with `TEST_ENGINE=postgres`, else these. */
export const postgresFiles: readonly string[] =
  process.env['TEST_ENGINE'] === 'postgres' ? ['tests/**/*.test.ts'] : isDeep ? [...usual, ...more] : usual
