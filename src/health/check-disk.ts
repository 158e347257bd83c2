import { statfs } from 'node:fs/promises'
import type { Check } from './check.ts'

/** Room for a few days of products and one copy of a large ledger. */
const enoughBytes = 1_000_000_000

/** Checks the free space for the ledger and the products. A full disk is reported by the ledger itself. */
export const makeDiskCheck = (folder: string): Check => ({
  name: 'disk',
  everyMs: 60_000,
  async run() {
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    if (freeBytes >= enoughBytes) return { is: 'ok', sentence: 'There is enough space in the data folder.' }
    return {
      is: 'warning',
      sentence: `Only ${Math.floor(freeBytes / 1_000_000)} MB are free on the disk of the data folder.`,
      advice: 'Free space on its disk, or move DATA_DIR; a shop that cannot write sells nothing.',
    }
  },
})
