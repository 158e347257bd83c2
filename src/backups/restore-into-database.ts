import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toMarkSentence } from '../storage/books-mark.ts'
import type { Books, Place } from '../storage/move/books.ts'
import type { MovedTable } from '../storage/move/copy-tables.ts'
import { isEmpty, moveBooks } from '../storage/move/move-books.ts'
import { hasCode } from '../storage/write-atomically.ts'
import { finishRestore } from './finish-restore.ts'
import { makeStaging, planRestore, type Restore, stageBackup } from './stage-backup.ts'

interface Options extends Restore {
  /** The database that the books are restored into. */
  readonly to: Place
  /** Opens the books that are files of a folder. */
  readonly filesIn: (folder: string) => Place
}

/** The result of a restore into a database. */
interface Restored {
  /** What each table holds, in the backup and in the database. */
  readonly tables: readonly MovedTable[]
  /** The folder that holds what was replaced in the data folder. */
  readonly aside: string
}

/**
 * @throws Error of one sentence when there are books at the place, other than those of an interrupted restore or move
 */
export async function assertFree(place: Place): Promise<void> {
  const look = async (books: Books): Promise<void> => {
    const mark = await books.mark()
    if (mark?.is === 'unfinished') return
    if (mark) throw new Error(`${place.name}: ${toMarkSentence(mark)}`)
    if (!(await isEmpty(books)))
      throw new Error(`there are books in ${place.name}; make an empty database, and name it in DATABASE_URL`)
  }
  const books = await place.look()
  try {
    await look(books)
  } finally {
    await books.release()
  }
}

async function moveFiles(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names)
    try {
      await rename(join(from, name), join(to, name))
    } catch (error) {
      // A shop without a game has no `game.db`.
      if (!hasCode(error, 'ENOENT')) throw error
    }
}

/**
 * Restores the books of a backup into an empty database, and its products and keys into the data folder, keeping the
 * replaced files aside. Everything is unpacked and verified first. No program can use the database before both are
 * done; an interrupted restore is begun again.
 *
 * @throws DamagedBackup, or Error of one sentence
 */
export async function restoreIntoDatabase({ to, filesIn, ...restore }: Options): Promise<Restored> {
  const { dataDir, prefix, say } = restore
  const folder = await stageBackup(restore, () => assertFree(to))
  const books = await makeStaging(dataDir)
  let aside = dataDir
  let isPlanned = false
  try {
    await moveFiles(['ledger.db', 'game.db'], folder, books)
    const tables = await moveBooks({
      from: { ...filesIn(books), name: `the files of the backup ${prefix}` },
      to,
      say,
      async beforeSwitch() {
        await planRestore(restore, folder)
        isPlanned = true
        say('putting products and keys in place')
        aside = (await finishRestore(dataDir)) ?? dataDir
      },
    })
    return { tables, aside }
  } finally {
    await rm(books, { recursive: true, force: true })
    // Once the plan is written, the next restore finishes it with the files in this folder.
    if (!isPlanned) await rm(folder, { recursive: true, force: true })
  }
}
