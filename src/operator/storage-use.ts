import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupsSeen } from '../backups/overview.ts'
import { listBelow } from '../storage/list-below.ts'
import { hasCode } from '../storage/write-atomically.ts'

/** Use of the disk, in bytes. */
export interface StorageUse {
  readonly parts: readonly { readonly name: string; readonly bytes: number }[]
  /** Free space on the disk of the data folder. */
  readonly free: number
  readonly disk: number
  /** The newest first; without a size when the manifest is damaged. Undefined when backups cannot be read. */
  readonly backups: readonly { readonly prefix: string; readonly bytes: number | undefined }[] | undefined
}

/** Databases, each measured with its write-ahead log. */
const databases = ['ledger.db', 'game.db', 'oauth.db'] as const
const folders = {
  products: 'products',
  narrations: 'audio',
  'narrations that were sold': 'narrations',
  voices: 'voices',
}

/** Size of a file; 0 when it was removed meanwhile. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0
    throw error
  }
}

async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0
  for (const { path, isFile } of await listBelow(folder)) if (isFile) bytes += await sizeOf(join(folder, path))
  return bytes
}

/** Measures the data folder and the backups. It calls `stat` for each file, which takes a while when there are many. */
export async function measureStorage(dataDir: string, seen: BackupsSeen): Promise<StorageUse> {
  const parts: { name: string; bytes: number }[] = []
  for (const name of databases) {
    const [file, log] = await Promise.all([sizeOf(join(dataDir, name)), sizeOf(join(dataDir, `${name}-wal`))])
    parts.push({ name, bytes: file + log })
  }
  for (const [name, folder] of Object.entries(folders))
    parts.push({ name, bytes: await sizeOfFolder(join(dataDir, folder)) })
  const kept = await seen.overview().catch(() => undefined)
  if (kept) parts.push({ name: 'backups', bytes: kept.bytes })
  const { bavail, blocks, bsize } = await statfs(dataDir)
  return {
    parts,
    free: bavail * bsize,
    disk: blocks * bsize,
    backups: kept?.backups.map(({ prefix, bytes }) => ({ prefix, bytes: bytes ?? undefined })),
  }
}
