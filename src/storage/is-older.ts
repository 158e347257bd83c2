import { stat } from 'node:fs/promises'
import { hasCode } from './write-atomically.ts'

/**
 * Whether a file or folder was last changed before an instant, in milliseconds. One that is gone is not: another program
 * has moved it to its name meanwhile, or removed it.
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
