import { sql } from 'kysely'

/** SQL comment at the end of a write, by which the SQLite driver recognizes that it needs no sync. */
export const withoutSyncMark = '/* without sync */'

/**
 * For the end of a write (`modifyEnd`) whose loss in a power cut harms nobody: SQLite does not wait for the disk. A
 * crash of the process does not lose it, and the next write with a sync makes it durable too.
 */
export const withoutSync = sql.raw(withoutSyncMark)
