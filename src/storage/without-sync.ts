import { sql } from 'kysely'

/** How the SQLite driver knows such a write. */
export const withoutSyncMark = '/* without sync */'

/**
 * At the end of a write (`modifyEnd`) whose loss in a power cut harms nobody: it does not wait for the disk. The death
 * of the process cannot take it, and the next write that waits takes it along to the disk.
 */
export const withoutSync = sql.raw(withoutSyncMark)
