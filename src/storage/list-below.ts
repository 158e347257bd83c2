import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './write-atomically.ts'

interface Entry {
  /** From the folder on, joined by `/`. */
  readonly path: string
  readonly isFile: boolean
}

/**
 * What is below a folder, each folder before what is in it; nothing when there is no such folder. If a folder below it
 * is removed meanwhile, only what was in it is missing: `readdir` with `recursive` fails as a whole then.
 */
export async function listBelow(folder: string): Promise<Entry[]> {
  const listed: Entry[] = []
  const starts = ['']
  for (const start of starts)
    for (const entry of await readEntries(join(folder, start))) {
      const path = start + entry.name
      listed.push({ path, isFile: entry.isFile() })
      if (entry.isDirectory()) starts.push(`${path}/`)
    }
  return listed
}

/** Where the file system does not say what an entry is (NFS), each is looked at, and one that is gone by then ends it. */
async function readEntries(folder: string): Promise<Dirent[]> {
  for (;;)
    try {
      return await readdir(folder, { withFileTypes: true })
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
      if (!isOfEntry(error)) return []
    }
}

const isOfEntry = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'lstat'
