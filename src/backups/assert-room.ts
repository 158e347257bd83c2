import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

/** A copy, what is tried, and what is kept. */
const copies = 3

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/**
 * A backup must not take the last of a disk: on the disk of the ledger, nothing could be sold while it lasts.
 *
 * @throws Error of one sentence when there is less room than its databases need
 */
export async function assertRoom(dataDir: string, folder: string): Promise<void> {
  const files = ['ledger.db', 'ledger.db-wal', 'game.db', 'game.db-wal'].map((name) => sizeOf(join(dataDir, name)))
  const needed = copies * (await Promise.all(files)).reduce((sum, size) => sum + size, 0)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed)
    throw new Error(
      `a backup needs ${Math.ceil(needed / 1e6)} MB in ${folder}, and there are ${Math.floor((bavail * bsize) / 1e6)}; free some space or set BACKUP_DIR`,
    )
}
