import { constants } from 'node:fs'
import { access, chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './write-atomically.ts'

/** Names of what our programs put into a data folder; everything else there is not ours and stays as it is. */
const ours =
  /^(?:(?:ledger|game|oauth)\.db.*|(?:chain|sandbox|restore)\.json.*|owner(?:\.lock)?|game-host\..*|operator-secret.*|.*\.key(?:\..*)?|products|published|audio|narrations|voices|backups|(?:replaced|aside)-.*|\.restore-.*)$/

const forOthers = 0o077

/**
 * Lets this process and its child processes create files for their owner only, and removes the permissions of others
 * from what is already in the data folder: an older version, another umask or a copy may have left it open. Symbolic
 * links are not followed.
 *
 * @param note called with a sentence when permissions could not be removed, or this user may not use a file
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

/** Advice for an operator who has once run a program in the data folder as another user. */
export const toOwnerAdvice = (dataDir: string): string =>
  `give all of it to the user that the shop runs as: chown -R USER ${dataDir}`

/** Names of our files in a data folder that this user may not use, because another user ran a program there. */
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
    // A read-only key file is still ours: it is only read.
    if (stats.isFile() && stats.uid === process.getuid?.()) return true
    await access(path, stats.isDirectory() ? R_OK | W_OK | X_OK : R_OK | W_OK)
    return true
  } catch (error) {
    return !hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')
  }
}

/**
 * Removes the permissions of others, from a folder after its content. Returns how many entries could not be changed.
 */
async function tighten(path: string): Promise<number> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return 0
    let open = 0
    if (stats.isDirectory()) for (const name of await readdir(path)) open += await tighten(join(path, name))
    if ((stats.mode & forOthers) !== 0) await chmod(path, stats.mode & 0o700)
    return open
  } catch (error) {
    // Another program has just removed it, or only its owner can enter it anyway.
    return hasCode(error, 'ENOENT') || hasCode(error, 'EACCES') ? 0 : 1
  }
}
