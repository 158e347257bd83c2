import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { openFolderStore } from '../backups/folder-store.ts'
import { listBackups } from '../backups/list-backups.ts'
import { hasCode } from '../storage/write-atomically.ts'

/** What takes room, in bytes. */
export interface StorageUse {
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
  /** Of the disk where the data folder is. */
  readonly free: number
  readonly disk: number
  /** The newest first; without a time when its manifest is damaged. */
  readonly backups: readonly { readonly prefix: string; readonly bytes: number | undefined }[]
}

/** A database is its file and what waits beside it to be written into it. */
const databases = ['ledger.db', 'game.db', 'oauth.db'] as const
const folders = {
  products: 'products',
  narrations: 'audio',
  'narrations that were sold': 'narrations',
  voices: 'voices',
}

/** What is removed in between takes no room. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  }
}

async function sizeOfFolder(folder: string): Promise<number> {
  try {
    let bytes = 0
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name))
    return bytes
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  }
}

/** Measures the data folder and the backups; asks the disk about each file, so it takes a while where there are many. */
export async function measureStorage(dataDir: string, backupDir: string): Promise<StorageUse> {
  const parts: { name: string; bytes: number }[] = []
  for (const name of databases) {
    const [file, log] = await Promise.all([sizeOf(join(dataDir, name)), sizeOf(join(dataDir, `${name}-wal`))])
    parts.push({ name, bytes: file + log })
  }
  for (const [name, folder] of Object.entries(folders))
    parts.push({ name, bytes: await sizeOfFolder(join(dataDir, folder)) })
  parts.push({ name: 'backups', bytes: await sizeOfFolder(backupDir) })
  const { bavail, blocks, bsize } = await statfs(dataDir)
  const backups = await listBackups(openFolderStore(backupDir))
  return {
    parts,
    free: bavail * bsize,
    disk: blocks * bsize,
    backups: backups.map(({ prefix, manifest }) => ({
      prefix,
      bytes: manifest?.files.reduce((sum, { bytes }) => sum + bytes, 0),
    })),
  }
}
