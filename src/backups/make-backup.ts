import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type BackupTier, toPrefix } from './backup-tiers.ts'
import { type BackupStore, openFolderStore } from './folder-store.ts'
import { removeBackup } from './prune-backups.ts'
import { type BackupReport, messageSchema, type WorkerMessage, type WorkerOrder } from './worker-messages.ts'

interface Options {
  readonly dataDir: string
  /** Where the backups are kept; absolute. */
  readonly folder: string
  readonly now: () => number
}

type Ending = Exclude<WorkerMessage, { is: 'progress' }>
type Onward = (line: string) => void

interface MakeOptions {
  readonly signal: AbortSignal
  readonly onProgress?: Onward
}

/** Runs one order on a thread, which ends with the signal. */
async function onThread(order: WorkerOrder, signal: AbortSignal, onProgress: Onward): Promise<Ending> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: order })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Ending>((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        const told = messageSchema.parse(message)
        if (told.is === 'progress') onProgress(told.line)
        else resolve(told)
      })
      worker.on('error', reject)
      worker.on('exit', (code) => reject(signal.aborted ? signal.reason : new Error(`the thread ended with ${code}`)))
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

/** A name that nothing has yet: names count seconds. */
async function findFreePrefix(store: BackupStore, tier: BackupTier, at: number): Promise<string> {
  for (let second = at; ; second += 1000) {
    const prefix = toPrefix(tier, second)
    if ((await store.list(`${prefix}/`)).length === 0) return prefix
  }
}

/**
 * The backups of a data folder, in another folder.
 *
 * @example const { prefix } = await openBackups({ dataDir, folder, now: Date.now }).make('hourly', { signal })
 */
export function openBackups({ dataDir, folder, now }: Options) {
  const store = openFolderStore(folder)
  let last: Promise<unknown> = Promise.resolve()
  /** One at a time: pruning must not take a product that a backup in the making has just found kept. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }

  async function make(tier: BackupTier, signal: AbortSignal, onProgress: Onward): Promise<BackupReport> {
    const at = now()
    const prefix = await findFreePrefix(store, tier, at)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Beside the backups, because copies must not fill the disk of the ledger.
    const scratch = await mkdtemp(join(folder, '.scratch-'))
    try {
      const told = await onThread({ is: 'make', folder, dataDir, prefix, tier, at, scratch }, signal, onProgress)
      if (told.is !== 'made') throw new Error('the thread did something else')
      return told.report
    } catch (error) {
      await removeBackup(store, prefix)
      throw error
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  return {
    /** One verified backup; throws when any check fails. Heavy work is off the event loop. */
    make: (tier: BackupTier, { signal, onProgress = () => {} }: MakeOptions): Promise<BackupReport> =>
      inTurn(() => make(tier, signal, onProgress)),

    /** Deletes what the rules of its tier no longer keep; never the last verified one. Returns the prefixes deleted. */
    prune: ({ signal }: { readonly signal: AbortSignal }): Promise<string[]> =>
      inTurn(async () => {
        const told = await onThread({ is: 'prune', folder, now: now() }, signal, () => {})
        return told.is === 'pruned' ? told.prefixes : []
      }),
  }
}

export type Backups = ReturnType<typeof openBackups>
