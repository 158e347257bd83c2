import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildFiles } from '../storage/build-folder.ts'
import { finishedBuilds } from './earlier-build.ts'

/** The field stands before everything that an author writes. */
const time = /"exportedAt":"[^"]*"/
const withoutTime = (text: string): string => text.replace(time, '')

const exportOf = (folder: string): string => join(buildFiles(folder).privateTexts, 'posts-export.json')

/**
 * Lets the writing keep the time at which it was first put together like this, where an earlier build has the same.
 * Whoever owns the bundle or the export owns these very bytes: by another time alone they would be others, and paid anew.
 * The newest build need not be the one: it may be of a sandbox in the same folder, or of a change that was taken back.
 *
 * @param builds the folder of all builds
 * @param fresh the folder of the new one, which nobody serves yet
 */
export function keepExportedAt(builds: string, fresh: string): void {
  const now = exportOf(fresh)
  if (!existsSync(now)) return
  const made = withoutTime(readFileSync(now, 'utf8'))
  for (const { folder } of finishedBuilds(builds)) {
    const before = exportOf(folder)
    const text = existsSync(before) ? readFileSync(before, 'utf8') : ''
    if (withoutTime(text) !== made) continue
    // Another file in its place: it may be one that an earlier build shares.
    rmSync(now)
    writeFileSync(now, text)
    return
  }
}
