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
  /** Where the books come. */
  readonly to: Place
  /** Books that are files of a folder. */
  readonly filesIn: (folder: string) => Place
}

/** What came of it. */
interface Restored {
  /** What each table holds, in the backup and in the database. */
  readonly tables: readonly MovedTable[]
  /** The folder that holds what was replaced in the data folder. */
  readonly aside: string
}

/** @throws Error of one sentence where books are, unless a restore or a move to here was cut off */
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
      // A shop without a game has one of them.
      if (!hasCode(error, 'ENOENT')) throw error
    }
}

/**
 * Puts the books of a backup into a database that has none, and its products and keys into the data folder, keeping
 * aside what was there. All is unpacked and tried first. No program uses the database before both are done: whoever is
 * cut off begins anew.
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
    // What is planned is finished from there, by whomever.
    if (!isPlanned) await rm(folder, { recursive: true, force: true })
  }
}
