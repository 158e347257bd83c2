import { readFileSync } from 'node:fs'
import { keepRecent } from '../../core/keep-recent.ts'

/** The bytes of a file that never changes; absent when it cannot be read. */
export type ReadKept = (path: string) => Buffer | undefined

/** Of all of them together: the pages of a site that are asked for most, compressed, and not every page there is. */
const maxBytes = 4 * 1024 * 1024

/** Reads files and remembers those that were asked for last, so that memory does not grow with what a site has. */
export function keepFiles(atMost = maxBytes): ReadKept {
  const take = keepRecent(readAlone, { atMost, sizeOf: ({ length }) => length })
  return (path) => {
    try {
      return take(path)
    } catch {
      // Whoever sends it streams it then, and sees the same fault.
      return undefined
    }
  }
}

/** Without the pool that Node reads small files into: one of them would keep all that was read beside it. */
function readAlone(path: string): Buffer {
  const bytes = readFileSync(path)
  const own = Buffer.alloc(bytes.length)
  bytes.copy(own)
  return own
}
