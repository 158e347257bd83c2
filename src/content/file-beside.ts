import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'

/**
 * Finds the file that a text names by a relative path, in the spelling of the file system. Programs write é as one
 * character (Unicode NFC) or as e with a combining mark (NFD, as macOS does): people see no difference, but most file
 * systems do.
 *
 * @param file the path of the text
 * @returns the absolute path; undefined when there is no such file
 */
export function findBeside(file: string, path: string): string | undefined {
  const whole = resolve(dirname(file), path)
  if (existsSync(whole)) return whole
  const { root } = parse(whole)
  let found: string = root
  for (const name of whole.slice(root.length).split(sep)) {
    const spelled = existsSync(join(found, name)) ? name : findSpelling(found, name)
    if (spelled === undefined) return undefined
    found = join(found, spelled)
  }
  return found
}

/** The name of the entry of a folder that equals this name after normalization. */
function findSpelling(folder: string, name: string): string | undefined {
  const plain = name.normalize('NFC')
  // ASCII text has only one spelling.
  if (!/[^\0-\x7f]/.test(plain) || !existsSync(folder)) return undefined
  return readdirSync(folder).find((other) => other.normalize('NFC') === plain)
}
