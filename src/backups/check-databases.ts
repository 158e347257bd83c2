import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { describeDatabase } from './describe-database.ts'
import { DamagedBackup, type DatabaseName, type Manifest } from './manifest.ts'

/**
 * Opens the unpacked databases of a backup and compares every count and every sum with those of when it was made.
 *
 * @param folder where they were unpacked
 * @throws DamagedBackup when one is incomplete or has other counts or sums
 */
export function checkDatabases(folder: string, databases: Manifest['databases']): void {
  for (const name of ['game.db', 'ledger.db'] satisfies DatabaseName[]) {
    const expected = databases[name]
    if (!expected) continue
    const db = new DatabaseSync(join(folder, name), { readOnly: true })
    try {
      const [integrity] = db.prepare('pragma integrity_check').all()
      if (integrity?.['integrity_check'] !== 'ok') throw new DamagedBackup(`${name} is not a complete database`)
      if (db.prepare('pragma foreign_key_check').all().length > 0)
        throw new DamagedBackup(`${name} has rows that refer to missing rows`)
      if (!isDeepStrictEqual(describeDatabase(db), expected))
        throw new DamagedBackup(`${name} has other rows or sums than were counted when it was copied`)
    } finally {
      db.close()
    }
  }
}
