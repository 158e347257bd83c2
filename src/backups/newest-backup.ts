import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../storage/write-atomically.ts'
import { isPrefix, tierSchema } from './backup-tiers.ts'
import { toManifestKey } from './manifest.ts'

/** The time in a prefix such as `hourly/2026-11-22T090000Z`, in ms since 1970. */
export const toTime = (prefix: string): number =>
  Date.parse(prefix.slice(prefix.indexOf('/') + 1).replace(/T(\d\d)(\d\d)(\d\d)Z$/, 'T$1:$2:$3Z'))

const isFinished = (folder: string, prefix: string): Promise<boolean> =>
  access(join(folder, toManifestKey(prefix))).then(
    () => true,
    () => false,
  )

/** The names in a folder; none when there is no such folder. */
async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/**
 * When the newest finished backup of a folder was begun, in ms since 1970; undefined when there is none. Reads only
 * names, because it is called often.
 *
 * @param until backups that are dated later are ignored: a clock that was ahead has dated them
 * @throws Error of the file system when the folder cannot be read
 */
export async function findNewestBackup(folder: string, until: number): Promise<number | undefined> {
  let newest: number | undefined
  for (const tier of tierSchema.options) {
    const names = (await list(join(folder, tier))).filter((name) => isPrefix(`${tier}/${name}`))
    for (const name of names.toSorted().reverse()) {
      const at = toTime(`${tier}/${name}`)
      if (at > until) continue
      if (newest !== undefined && at <= newest) break
      if (!(await isFinished(folder, `${tier}/${name}`))) continue
      newest = at
      break
    }
  }
  return newest
}
