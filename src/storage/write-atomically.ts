import { randomBytes } from 'node:crypto'
import { link, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** How a file is to be written. */
export interface WriteOptions {
  /** Permissions; the umask still takes away from them. */
  mode: number
  /** Fail with EEXIST instead of replacing a file. */
  exclusive?: boolean
}

/**
 * Atomic write: the file appears complete or not at all, and survives a power cut once this resolves.
 *
 * @throws Error of the file system; its code is EEXIST when `exclusive` is set and the file exists
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions,
): Promise<void> {
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
  try {
    const file = await open(part, 'wx', options.mode)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await (options.exclusive ? moveWithoutReplacing(part, path) : rename(part, path))
  } catch (error) {
    await unlink(part).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}

/**
 * `rename` replaces an existing file, `link` does not. Where the file system has no hard links, an empty file is
 * created under the name first, which only one of several processes can do, and is then replaced.
 */
async function moveWithoutReplacing(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw error
    await (await open(path, 'wx')).close()
    await rename(part, path)
    return
  }
  await unlink(part)
}

/** Makes new names in a folder durable. Not every platform can open a folder: there, nothing more can be done. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  try {
    await folder?.sync().catch(() => {})
  } finally {
    await folder?.close()
  }
}

/** Whether an error of the file system has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
