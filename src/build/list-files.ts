import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** The paths of all files below a folder, relative to it, with `/` as in URLs, sorted. */
export async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => relative(folder, join(item.parentPath, item.name)).split(sep).join('/'))
    .sort()
}
