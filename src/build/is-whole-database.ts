import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Whether a file of a finished build, which nobody writes to, is an undamaged SQLite database. */
export function isWholeDatabase(file: string): boolean {
  if (!existsSync(file)) return false
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    // Memory-mapped, because reading it takes half the time then.
    db.exec('pragma mmap_size = 1073741824')
    return db.prepare('pragma quick_check').get()?.['quick_check'] === 'ok'
  } catch {
    return false
  } finally {
    db.close()
  }
}
