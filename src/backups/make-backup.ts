import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toSaidText } from '../core/said-text.ts'
import { openWorkers } from '../workers/open-workers.ts'
import type { OnProgress } from '../workers/start-worker.ts'
import type { BackupReport, BackupTask, PassedStorage, PruneTask } from './backup-tasks.ts'
import { type BackupTier, toPrefix } from './backup-tiers.ts'
import { type BackupStore, openFolderStore } from './folder-store.ts'
import { toManifestKey } from './manifest.ts'
import { removeBackup } from './prune-backups.ts'

interface Options {
  readonly dataDir: string
  /** URL of the database that the books are in; when absent they are files of the data folder. */
  readonly databaseUrl?: string | undefined
  /** Folder in which backups are prepared, and kept unless `stored.store` is set; absolute. */
  readonly folder: string
  readonly now: () => number
  /** The storage outside of this machine; absent when there is none. */
  readonly stored?: StoredOptions | undefined
}

interface StoredOptions {
  readonly storage: PassedStorage
  /** Present when backups are kept in the storage and not in the folder. */
  readonly store: BackupStore | undefined
}

interface MakeOptions {
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
}

/** Makes and prunes backups. */
export interface Backups {
  /** Makes one verified backup; throws when any check fails. The work is done in another process. */
  make(tier: BackupTier, options: MakeOptions): Promise<BackupReport>
  /** Deletes backups that their tiers no longer keep, but never the last verified one. Returns their prefixes. */
  prune(options: { readonly signal: AbortSignal }): Promise<string[]>
}

/** How long the worker process waits for more work before it ends: the next backup is an hour away. */
const idleMs = 1000

/** A prefix that no backup has yet. Prefixes differ by whole seconds. */
async function findFreePrefix(store: BackupStore, tier: BackupTier, at: number): Promise<string> {
  for (let second = at; ; second += 1000) {
    const prefix = toPrefix(tier, second)
    if ((await store.list(`${prefix}/`)).length === 0) return prefix
  }
}

/** A backup with a manifest stays, also when a later step failed, because it was verified. */
async function removeUnfinished(store: BackupStore, prefix: string): Promise<void> {
  const keys = (await store.list(`${prefix}/`)).map(({ key }) => key)
  if (!keys.includes(toManifestKey(prefix))) await removeBackup(store, prefix)
}

/**
 * Makes and prunes backups of a data folder, which are kept in another folder or in a storage.
 *
 * @example const { prefix } = await openBackups({ dataDir, folder, now: Date.now }).make('hourly', { signal })
 */
export function openBackups({ dataDir, databaseUrl, folder, now, stored }: Options): Backups {
  const store = stored?.store ?? openFolderStore(folder)
  const place = { folder, storage: stored?.storage }
  const workers = openWorkers(new URL('backup-worker.ts', import.meta.url).href, { threads: 1, niceness: 0, idleMs })
  let last: Promise<unknown> = Promise.resolve()
  /** Runs one task at a time. Pruning by another process spares new files and those that a backup has just touched. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }

  async function make(tier: BackupTier, options: MakeOptions): Promise<BackupReport> {
    const at = now()
    const prefix = await findFreePrefix(store, tier, at)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // In the folder of the backups, because the copies must not fill the disk of the ledger.
    const scratch = await mkdtemp(join(folder, '.scratch-'))
    try {
      const task = { ...place, dataDir, databaseUrl, prefix, tier, at, scratch }
      return await workers.run<BackupTask, BackupReport>('make', task, options)
    } catch (error) {
      await removeUnfinished(store, prefix).catch((left: unknown) => {
        throw new Error(`${toSaidText(error)}; what was begun, ${prefix}, was not removed: ${toSaidText(left)}`, {
          cause: error,
        })
      })
      throw error
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  return {
    make: (tier, options) => inTurn(() => make(tier, options)),
    prune: ({ signal }) =>
      inTurn(() => workers.run<PruneTask, string[]>('prune', { ...place, now: now() }, { signal })),
  }
}
