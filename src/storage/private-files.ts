import { constants } from 'node:fs'
import { access, chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './write-atomically.ts'

/** What our programs put into a data folder; anything else there is somebody else's and is left as it is. */
const ours =
  /^(?:(?:ledger|game|oauth)\.db.*|(?:chain|sandbox|restore)\.json.*|owner|game-host\..*|operator-secret.*|.*\.key(?:\..*)?|products|published|audio|narrations|voices|backups|(?:replaced|aside)-.*|\.restore-.*)$/

const forOthers = 0o077

/**
 * Lets this process, and those that it starts, make files for their owner alone, and takes from everybody else what is
 * in the data folder already: an older version, another umask or a copy may have left it open. Links are not followed.
 *
 * @param note told when something could not be taken from others, or is not ours to use
 */
export async function keepPrivate(dataDir: string, note: (text: string) => void): Promise<void> {
  process.umask(forOthers)
  const names = await readdir(dataDir).catch(() => [])
  let open = 0
  for (const name of names) if (ours.test(name)) open += await tighten(join(dataDir, name))
  if (open > 0)
    note(`${open} files or folders in ${dataDir} belong to another user and can be read by others on this machine`)
  const foreign = await findForeign(dataDir)
  if (foreign.length > 0) note(`in ${dataDir} this user may not use ${foreign.join(', ')}; ${toOwnerAdvice(dataDir)}`)
}

/** What makes a data folder ours again, for who started a program once as another user. */
export const toOwnerAdvice = (dataDir: string): string =>
  `give all of it to the user that the shop runs as: chown -R USER ${dataDir}`

/** What our programs put into a data folder and this user may not read or write: another user ran one of them there. */
export async function findForeign(dataDir: string): Promise<string[]> {
  const foreign: string[] = []
  for (const name of await readdir(dataDir).catch(() => []))
    if (ours.test(name) && !(await mayUse(join(dataDir, name)))) foreign.push(name)
  return foreign.toSorted()
}

async function mayUse(path: string): Promise<boolean> {
  try {
    const { R_OK, W_OK, X_OK } = constants
    const stats = await lstat(path)
    // A key that nobody may write is still ours, and is read.
    if (stats.isFile() && stats.uid === process.getuid?.()) return true
    await access(path, stats.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return true
  } catch (error) {
    return !hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')
  }
}

/** Returns how many could not be changed. A folder comes after what is in it. */
async function tighten(path: string): Promise<number> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return 0
    let open = 0
    if (stats.isDirectory()) for (const name of await readdir(path)) open += await tighten(join(path, name))
    if ((stats.mode & forOthers) !== 0) await chmod(path, stats.mode & 0o700)
    return open
  } catch (error) {
    // A program that runs beside this one has just removed it; or nobody but its owner comes in.
    return hasCode(error, 'ENOENT') || hasCode(error, 'EACCES') ? 0 : 1
  }
}
