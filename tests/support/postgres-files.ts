const isDeep = process.env['TEST_FIGURES'] === 'deep'

/** What is tried on PostgreSQL with every run: what money, jobs, credits and sign-ins hang on, and what only it has. */
const usual = [
  'tests/postgres/**/*.test.ts',
  'tests/unit/{ledger,jobs,scheduler,retention,sales-statistics,webhooks,emails,owners,wallet-data,operating}.test.ts',
  'tests/attacks/{pay-once,hostile-chain,goods-that-others-paid-for}.test.ts',
  'tests/promises/{p4-no-402-when-money-moved,unwritten-recovery}.test.ts',
  'tests/crash/lost-lease.test.ts',
  'tests/game/{accounts,store-credits,store-entitlements,cup}.test.ts',
]

/** Which tests run on PostgreSQL: with `TEST_ENGINE=postgres` whichever are named, else these. */
export const postgresFiles: readonly string[] =
  process.env['TEST_ENGINE'] === 'postgres'
    ? ['tests/**/*.test.ts']
    : isDeep
      ? [...usual, 'tests/{promises,attacks,crash,http}/**/*.test.ts']
      : usual
