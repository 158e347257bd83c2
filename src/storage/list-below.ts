import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './write-atomically.ts'

interface Entry {
  /** Relative to the folder, joined by `/`. */
  readonly path: string
  readonly isFile: boolean
}

/**
 * Everything below a folder, each folder before its content; empty when there is no such folder. If a folder below it
 * is removed meanwhile, only its content is missing; `readdir` with `recursive` would fail as a whole.
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

/**
 * Where the file system does not report the type of an entry (NFS), Node calls `lstat` on each and fails when one has
 * been removed meanwhile: then the folder is read again.
 */
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
