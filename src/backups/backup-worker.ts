// Makes or prunes backups in a process of its own, so that counting, packing and checksums do not block the event loop
// of the site, and their memory is freed when the process ends.
import { join } from 'node:path'
import type { OnProgress } from '../workers/start-worker.ts'
import type { BackupReport, BackupTask, PruneTask } from './backup-tasks.ts'
import { type BooksSource, fileBooks } from './books-source.ts'
import { openFolderStore } from './folder-store.ts'
import { folderProducts, storedProducts } from './product-source.ts'
import { pruneBackups } from './prune-backups.ts'
import { type WrittenBackup, writeBackup } from './write-backup.ts'

/** Opens the storage outside of this machine. Its modules are loaded only where one is configured. */
async function openStorage({ storage, folder }: Pick<BackupTask, 'storage' | 'folder'>) {
  if (!storage) return undefined
  const [{ openObjectStore }, { claimPrefix }, { openStoredBackups }, { writeOverview }] = await Promise.all([
    import('../storage/objects/open-object-store.ts'),
    import('../storage/objects/claim-prefix.ts'),
    import('./stored-backups.ts'),
    import('./overview.ts'),
  ])
  const { keys, owner, keepsBackups, ...place } = storage
  const objects = claimPrefix(openObjectStore({ ...place, keys: () => keys }), owner)
  const store = openStoredBackups(objects, folder)
  return { objects, ...(keepsBackups && { backups: { store, tell: () => writeOverview(objects, store) } }) }
}

async function openBooks({ databaseUrl, dataDir }: Pick<BackupTask, 'databaseUrl' | 'dataDir'>): Promise<BooksSource> {
  if (databaseUrl === undefined) return fileBooks(dataDir)
  const [{ databaseBooks }, { openGameDatabase }] = await Promise.all([
    import('./database-books.ts'),
    import('../../game-server/storage/open-game-database.ts'),
  ])
  return databaseBooks(databaseUrl, openGameDatabase)
}

/**
 * Makes one backup.
 *
 * @param say called with each step that begins
 * @throws Error when it cannot be made or verified
 */
export async function make({ folder, storage, ...task }: BackupTask, say: OnProgress): Promise<BackupReport> {
  const stored = await openStorage({ storage, folder })
  const near = join(task.dataDir, 'products')
  const products = stored ? storedProducts(stored.objects, near) : folderProducts(near)
  const store = stored?.backups?.store ?? openFolderStore(folder)
  const isStoreFar = stored?.backups !== undefined
  const made = await writeBackup({ ...task, books: await openBooks(task), store, products, isStoreFar, say })
  await stored?.backups?.tell()
  return toReport(made)
}

/** Deletes backups that need not be kept any more. Returns their prefixes. */
export async function prune({ folder, storage, now }: PruneTask): Promise<string[]> {
  const stored = await openStorage({ storage, folder })
  const pruned = await pruneBackups(stored?.backups?.store ?? openFolderStore(folder), now)
  await stored?.backups?.tell()
  return pruned
}

/** The figures of a backup for the job's result. */
function toReport({ prefix, manifest }: WrittenBackup): BackupReport {
  const rows = Object.fromEntries(
    Object.entries(manifest.databases).flatMap(([file, facts]) =>
      Object.entries(facts.rows).map(([table, count]) => [`${file.replace('.db', '')}.${table}`, count]),
    ),
  )
  return {
    prefix,
    tables: Object.keys(rows).length,
    totalBytes: manifest.files.reduce((sum, { stored }) => sum + stored.bytes, 0),
    rows,
    missing: manifest.missing,
  }
}
