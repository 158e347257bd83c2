import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, parse, resolve, sep } from 'node:path'

/**
 * The file that a text names as lying beside it, as its folder spells the name: programs write é as one character
 * (Unicode NFC) or as e with a mark (NFD, as macOS does), people see no difference, and most file systems see one.
 *
 * @param file of the text
 * @returns its whole path; nothing where there is none
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

/** The name of what is in a folder under this name in another spelling. */
function findSpelling(folder: string, name: string): string | undefined {
  const plain = name.normalize('NFC')
  // Of ASCII there is one spelling.
  if (!/[^\0-\x7f]/.test(plain) || !existsSync(folder)) return undefined
  return readdirSync(folder).find((other) => other.normalize('NFC') === plain)
}
