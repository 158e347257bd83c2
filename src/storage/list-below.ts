import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './write-atomically.ts'

interface Entry {
  /** From the folder on, joined by `/`. */
  readonly path: string
  readonly isFile: boolean
}

/**
 * What is below a folder, each folder before what is in it; nothing when there is no such folder. One that somebody
 * removes meanwhile costs what was in it and nothing else: the recursive list of the system ends at it.
 */
export async function listBelow(folder: string, start = ''): Promise<Entry[]> {
  const entries = await readdir(join(folder, start), { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  const listed: Entry[] = []
  for (const entry of entries) {
    const path = start + entry.name
    listed.push({ path, isFile: entry.isFile() })
    if (entry.isDirectory()) listed.push(...(await listBelow(folder, `${path}/`)))
  }
  return listed
}
