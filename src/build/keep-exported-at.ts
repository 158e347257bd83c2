import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildFiles } from '../storage/build-folder.ts'
import { findNewestBuild } from './earlier-build.ts'

/** The field stands before everything that an author writes. */
const time = /"exportedAt":"[^"]*"/
const withoutTime = (text: string): string => text.replace(time, '')

/**
 * Lets the writing keep the time at which it was first put together like this, where a build changes nothing of it.
 * Whoever owns the bundle or the export owns these very bytes: by another time alone they would be others, and paid anew.
 *
 * @param builds the folder of all builds
 * @param fresh the folder of the new one, which nobody serves yet
 */
export function keepExportedAt(builds: string, fresh: string): void {
  const earlier = findNewestBuild(builds)
  if (earlier === undefined) return
  const [before, now] = [earlier, fresh].map((folder) => join(buildFiles(folder).privateTexts, 'posts-export.json'))
  if (before === undefined || now === undefined || !existsSync(before) || !existsSync(now)) return
  const [text, made] = [readFileSync(before, 'utf8'), readFileSync(now, 'utf8')]
  if (withoutTime(text) !== withoutTime(made)) return
  // Another file in its place: it may be one that an earlier build shares.
  rmSync(now)
  writeFileSync(now, text)
}
