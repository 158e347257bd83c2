import type { Check } from './check.ts'

/** Whether the database that the books are in answers and keeps what it takes. */
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
