import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The bytes of the file a content entry came from. Builds run in the repository's root. It is read before this returns: a
 * build asks for all its texts at once, and of a large site they are more files than a program may have open.
 */
export function readSource({ id, filePath }: { id: string; filePath?: string | undefined }): Buffer {
  if (filePath === undefined) throw new Error(`content entry ${id} does not come from a file`)
  return readFileSync(resolve(filePath))
}

/** The text of a content file below its front matter. */
export const withoutFrontMatter = (source: string): string =>
  source.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*\r?\n?/, '')
