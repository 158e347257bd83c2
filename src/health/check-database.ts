import type { Check } from './check.ts'

/** Checks that the PostgreSQL database of the books responds, and is set up to keep what it confirms. */
export const makeDatabaseCheck = (url: string): Check => ({
  name: 'database',
  everyMs: 60_000,
  async run() {
    const { lookAtPostgres } = await import('../storage/postgres/look-at-postgres.ts')
    const reason = await lookAtPostgres(url)
    if (reason === undefined) return { is: 'ok', sentence: 'The database answers, and keeps what it confirms.' }
    return { is: 'failure', sentence: `The database cannot be used: ${reason}.`, advice: 'See docs/scaling.md.' }
  },
})
