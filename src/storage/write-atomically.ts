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

/** Writes a whole file or none, and returns only when a power cut would keep it. */
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
 * A rename replaces; a second name does not. Where the file system has no links, a new empty file takes the name first,
 * which one of several can make, and is replaced.
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

/** Makes the new name itself durable; not every platform can open a folder, and there the rename has to do. */
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
