import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toSaidText } from '../core/said-text.ts'
import { hasCode } from '../storage/write-atomically.ts'

/**
 * Writes a new file that only its owner can read. When writing fails, no partial file is left.
 *
 * @throws Error with one sentence, also when the file exists already
 */
export async function keepNewFile(path: string, content: string | AsyncIterable<string>): Promise<void> {
  try {
    await writeNew(path, content)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new Error(`${path} exists already; name another file`)
    if (hasCode(error, 'ENOENT')) throw new Error(`${path} cannot be written: is there a folder ${dirname(path)}?`)
    throw new Error(`${path} cannot be written: ${toSaidText(error)}`)
  }
}

/** Removes a partial file: it might be taken for the whole, and a retry would find the name in use. */
async function writeNew(path: string, content: string | AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
  } catch (error) {
    await rm(path)
    throw error
  } finally {
    await file.close()
  }
}
