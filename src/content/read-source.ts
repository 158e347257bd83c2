import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The bytes of the file that a content entry came from. Builds run in the repository's root. It reads synchronously: a
 * build requests all texts at once, and those of a large site are more files than a process may have open.
 */
export function readSource({ id, filePath }: { id: string; filePath?: string | undefined }): Buffer {
  if (filePath === undefined) throw new Error(`content entry ${id} does not come from a file`)
  return readFileSync(resolve(filePath))
}

/** The text of a content file below its front matter. */
export const withoutFrontMatter = (source: string): string =>
  source.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*\r?\n?/, '')
