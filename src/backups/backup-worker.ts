// Makes or prunes backups on a thread of its own: counting, packing and summing never wait on the event loop.
import { parentPort, workerData } from 'node:worker_threads'
import { openFolderStore } from './folder-store.ts'
import { pruneBackups } from './prune-backups.ts'
import { type BackupReport, orderSchema, type WorkerMessage } from './worker-messages.ts'
import { type WrittenBackup, writeBackup } from './write-backup.ts'

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message)
const order = orderSchema.parse(workerData)
const store = openFolderStore(order.folder)

if (order.is === 'prune') tell({ is: 'pruned', prefixes: await pruneBackups(store, order.now) })
else {
  const made = await writeBackup({ ...order, store, say: (line) => tell({ is: 'progress', line }) })
  tell({ is: 'made', report: toReport(made) })
}

/** A backup in the figures that a job reports. */
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
