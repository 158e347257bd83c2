import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { placeFile } from './images/page-image.ts'

/**
 * Puts a finished folder of an earlier build at a second path. Its files are hard links where the file system allows
 * it, so neither may be written to afterwards.
 *
 * @returns whether the folder exists
 */
export async function takeOver(from: string, to: string): Promise<boolean> {
  if (!existsSync(from)) return false
  const files = (await readdir(from, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
  const places = files.map((file) => ({ file, place: join(to, relative(from, file)) }))
  for (const folder of new Set(places.map(({ place }) => dirname(place)))) await mkdir(folder, { recursive: true })
  for (const { file, place } of places) placeFile(file, place)
  return true
}
