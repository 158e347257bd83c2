import { stat } from 'node:fs/promises'
import { hasCode } from './write-atomically.ts'

/**
 * Whether a file or folder was last changed before an instant (ms since 1970). False when it is gone: another program
 * has renamed or removed it meanwhile.
 *
 * @throws Error of the file system when it cannot be looked at
 */
export async function isOlder(path: string, than: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < than
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
