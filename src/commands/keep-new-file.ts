import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toSaidText } from '../core/said-text.ts'
import { hasCode } from '../storage/write-atomically.ts'

/**
 * Writes a file for its owner alone, where there was none.
 *
 * @throws Error of one sentence
 */
export async function keepNewFile(path: string, content: string | AsyncIterable<string>): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new Error(`${path} exists already; name another file`)
    if (hasCode(error, 'ENOENT')) throw new Error(`${path} cannot be written: is there a folder ${dirname(path)}?`)
    throw new Error(`${path} cannot be written: ${toSaidText(error)}`)
  }
}
