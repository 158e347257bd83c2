import { readFileSync } from 'node:fs'
import { keepRecent } from '../../core/keep-recent.ts'

/** The bytes of a file that never changes; absent when it cannot be read. */
export type ReadKept = (path: string) => Buffer | undefined

/** The size of the cache: enough for the most requested pages of a site, compressed, but not for every page. */
const maxBytes = 4 * 1024 * 1024

/** Reads files through a cache of the most recently requested ones, so that memory does not grow with the site. */
export function keepFiles(atMost = maxBytes): ReadKept {
  const take = keepRecent(readAlone, { atMost, sizeOf: ({ length }) => length })
  return (path) => {
    try {
      return take(path)
    } catch {
      // The caller then streams the file from disk and meets the same error.
      return undefined
    }
  }
}

/** Copies the file out of Node's buffer pool, because one small file would keep the whole pool block in memory. */
function readAlone(path: string): Buffer {
  const bytes = readFileSync(path)
  const own = Buffer.alloc(bytes.length)
  bytes.copy(own)
  return own
}
