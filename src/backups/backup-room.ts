import { statfs } from 'node:fs/promises'

/** A copy, what is tried, and what is kept. */
const copiesAtOnce = 3
/** What products leave of a disk, at most: they stay in the backups for months, and sales go on beside them. */
const leftBytes = 100_000_000

/**
 * A backup must not take the last of a disk: on the disk of the ledger, nothing could be sold while it lasts, and with
 * products that stay there not afterwards either.
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
