import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toSaidText } from '../core/said-text.ts'
import { hasCode } from '../storage/write-atomically.ts'

/**
 * Writes a file for its owner alone, where there was none. It is there as a whole or not at all.
 *
 * @throws Error of one sentence
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

/** Others take a part for the whole, and a next try would find the name taken. */
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
