import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fillMentions, mentionsMark } from '../mentions/mention-marks.ts'
import { fillPlaceholders, hasPlaceholders } from '../narration/placeholders/placeholders.ts'
import { listFiles } from './list-files.ts'

interface Folders {
  readonly client: string
  /** Receives the pages with their placeholders. */
  readonly narrated: string
}

/** A page as it is without narration and mentions; undefined when it has no placeholders, so is that page already. */
export function withoutPlaceholders(html: string): string | undefined {
  if (!hasPlaceholders(html) && !html.includes(mentionsMark)) return undefined
  const silent = fillPlaceholders(html, () => undefined)
  return fillMentions(silent, [])
}

/** The names of all pages below a folder. */
export const listPages = async (folder: string): Promise<string[]> =>
  (await listFiles(folder)).filter((name) => name.endsWith('.html'))

/**
 * Replaces pages with placeholders in the client folder by pages without narration and mentions, so that any file
 * server can serve them, and keeps those with placeholders for the running server.
 *
 * @param names the pages to look at
 * @param taken the names of pages that were taken from an earlier build and are already in the right folders
 * @returns the names of the pages that have placeholders, below either folder
 */
export function takeOutPlaceholders(
  { client, narrated }: Folders,
  names: readonly string[],
  taken: ReadonlySet<string>,
): Set<string> {
  const withPlaceholders = new Set<string>()
  const takeOut = (name: string): void => {
    if (taken.has(name)) {
      if (existsSync(join(narrated, name))) withPlaceholders.add(name)
      return
    }
    const file = join(client, name)
    const html = readFileSync(file, 'utf8')
    const served = withoutPlaceholders(html)
    if (served === undefined) return
    const kept = join(narrated, name)
    mkdirSync(dirname(kept), { recursive: true })
    renameSync(file, kept)
    writeFileSync(file, served)
    withPlaceholders.add(name)
  }
  for (const name of names) takeOut(name)
  return withPlaceholders
}
