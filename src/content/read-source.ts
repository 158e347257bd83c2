import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** The bytes of the file a content entry came from. Builds run in the repository's root. */
export function readSource({ id, filePath }: { id: string; filePath?: string | undefined }) {
  if (filePath === undefined) throw new Error(`content entry ${id} does not come from a file`)
  return readFile(resolve(filePath))
}

/** The text of a content file below its front matter. */
export const withoutFrontMatter = (source: string): string =>
  source.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*\r?\n?/, '')
