import { holdGameDatabase } from '../../game-server/storage/hold-game-database.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { holdFolder } from './hold-folder.ts'

/** How each of our databases is opened. */
export const openBooks = { ledger: openLedgerDatabase, oauth: openOauthDatabase, game: openGameDatabase }

/** Keeps the game host of a database away, which names itself, while all books are carried somewhere. */
export async function holdGame<Result>(url: string | undefined, work: () => Promise<Result>): Promise<Result> {
  // The books themselves are held, too: to lose this name harms nobody.
  const own = { onLost: () => {}, note: (line: string) => console.log(line), waitMs: 0 }
  const letGo = url === undefined ? undefined : await holdGameDatabase(url, own)
  try {
    return await work()
  } finally {
    await letGo?.()
  }
}

/** Keeps other commands on a data folder away as well. */
export function holdBooks<Result>(
  dataDir: string,
  url: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  holdFolder(dataDir)
  return holdGame(url, work)
}
