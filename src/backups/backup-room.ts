import { statfs } from 'node:fs/promises'

/** The databases need room three times: the copy, the unpacked backup that is compared with it, and the backup. */
const copiesAtOnce = 3
/**
 * How much of the disk products in backups leave free, or 5% of it if that is less: they stay there for months, while
 * sales go on.
 */
const leftBytes = 100_000_000

/**
 * Checks the free space for a backup. A backup must not fill the disk: if the ledger is on it, nothing could be sold
 * while the backup is made, nor afterwards when its products stay there.
 *
 * @param folder where backups are prepared and kept
 * @param bookBytes about how large a copy of the databases is
 */
export function openRoom(folder: string, bookBytes: number) {
  const forBooks = copiesAtOnce * bookBytes

  async function assertFree(needed: number, what: string, left: (diskBytes: number) => number): Promise<void> {
    const { bavail, bsize, blocks } = await statfs(folder)
    const freeBytes = bavail * bsize - left(blocks * bsize)
    if (freeBytes >= needed) return
    const free = Math.max(0, Math.floor(freeBytes / 1e6))
    throw new Error(
      `${what} needs ${Math.ceil(needed / 1e6)} MB in ${folder}, and there are ${free}; free some space or set BACKUP_DIR`,
    )
  }

  return {
    /** @throws Error of one sentence when there is less room than the databases need */
    assertForBooks: () => assertFree(forBooks, 'a backup', () => 0),

    /** @throws Error of one sentence when the databases would have less room than they need beside one more product */
    assertForProduct: (bytes: number) =>
      assertFree(forBooks + bytes, 'a backup with one more product', (disk) => Math.min(leftBytes, disk / 20)),
  }
}
