import { type Log, toLogText } from '../core/log.ts'
import type { Siblings } from '../storage/postgres/open-siblings.ts'

/**
 * Connects this site with the others on its database. Undefined with SQLite, for which nothing is loaded.
 *
 * @throws StorageError when the database cannot be used
 */
export async function openSiblings(url: string | undefined, log: Log): Promise<Siblings | undefined> {
  if (url === undefined) return undefined
  const { openSiblings: open } = await import('../storage/postgres/open-siblings.ts')
  return open(url, {
    onBroken: () => log('server.note', { note: 'the session with the database was lost, and is made anew' }),
    report: (error) => log('server.error', { error: toLogText(error) }),
  })
}
