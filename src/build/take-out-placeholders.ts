import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fillMentions, mentionsMark } from '../mentions/mention-marks.ts'
import { fillPlaceholders, hasPlaceholders } from '../narration/placeholders/placeholders.ts'
import { listFiles } from './list-files.ts'

interface Folders {
  readonly client: string
  /** Receives the pages as they were written. */
  readonly narrated: string
}

/** A page as it is while nothing is narrated and nobody mentions it; undefined when that is how it was written. */
export function withoutPlaceholders(html: string): string | undefined {
  if (!hasPlaceholders(html) && !html.includes(mentionsMark)) return undefined
  const silent = fillPlaceholders(html, () => undefined)
  return fillMentions(silent, [])
}

/**
 * Leaves in the client folder the pages as they are while nothing is narrated and nobody mentions them, so that they
 * can be served by anything that serves files, and keeps those with placeholders for the running server.
 *
 * @param taken the names of pages that were taken from an earlier build, each in the folders where it belongs
 * @returns the names of the pages that have placeholders, below either folder
 */
export async function takeOutPlaceholders(
  { client, narrated }: Folders,
  taken: ReadonlySet<string>,
): Promise<Set<string>> {
  const names = (await listFiles(client)).filter((name) => name.endsWith('.html'))
  const withPlaceholders = new Set<string>()
  const takeOut = async (name: string): Promise<void> => {
    if (taken.has(name)) {
      if (existsSync(join(narrated, name))) withPlaceholders.add(name)
      return
    }
    const file = join(client, name)
    const html = await readFile(file, 'utf8')
    const served = withoutPlaceholders(html)
    if (served === undefined) return
    const kept = join(narrated, name)
    await mkdir(dirname(kept), { recursive: true })
    await rename(file, kept)
    await writeFile(file, served)
    withPlaceholders.add(name)
  }
  const queue = names.values()
  const worker = async () => {
    for (const name of queue) await takeOut(name)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return withPlaceholders
}
