import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** The names of all files below a folder, parted by `/` as in URLs, in order. */
export async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => relative(folder, join(item.parentPath, item.name)).split(sep).join('/'))
    .sort()
}
