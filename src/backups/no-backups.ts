import type { Backups } from './make-backup.ts'

const reason =
  'the books are in the database of DATABASE_URL, which is not copied from here yet: back it up with the tools of PostgreSQL (pg_dump, or pg_basebackup with its log), and the folder DATA_DIR beside it'

/** Nobody is to believe in backups that there are none of: each time that one is due says so. */
export const noBackups: Backups = {
  make: () => Promise.reject(new Error(reason)),
  prune: async () => [],
}
