import { z } from 'zod'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import { type BackupStore, openFolderStore } from './folder-store.ts'
import { listBackups } from './list-backups.ts'
import { findNewestBackup, toTime } from './newest-backup.ts'

const overviewSchema = z.object({
  /** Of everything that is kept for backups. */
  bytes: z.number(),
  /** The newest first; what each holds, or null when its manifest is damaged. */
  backups: z.array(z.object({ prefix: z.string(), bytes: z.number().nullable() })),
})

/** What is told of the backups to whoever asks often. */
export type BackupOverview = z.output<typeof overviewSchema>

/** Answers about backups. */
export interface BackupsSeen {
  /** What may be the matter when they cannot be seen. */
  readonly unseen: string
  /** When the newest finished one was begun that is not dated later, in milliseconds; undefined when there is none. */
  findNewest(until: number): Promise<number | undefined>
  overview(): Promise<BackupOverview>
}

const overviewKey = 'backups/overview.json'
const none: BackupOverview = { bytes: 0, backups: [] }

/** Lists all that there is. */
async function describeBackups(store: BackupStore): Promise<BackupOverview> {
  const [files, backups] = [await store.list(''), await listBackups(store)]
  return {
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    backups: backups.map(({ prefix, manifest }) => ({
      prefix,
      bytes: manifest ? manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) : null,
    })),
  }
}

/** Says in one object what is in a storage, so that nobody has to list it to answer a request. */
export async function writeOverview(objects: ObjectStore, store: BackupStore): Promise<void> {
  await objects.put(overviewKey, Buffer.from(JSON.stringify(await describeBackups(store))))
}

/** The backups of a folder. */
export const seeFolder = (folder: string): BackupsSeen => ({
  unseen: 'Is BACKUP_DIR a folder of this user?',
  findNewest: (until) => findNewestBackup(folder, until),
  overview: () => describeBackups(openFolderStore(folder)),
})

/** The backups of a storage, as of when the last one was made or removed. */
export function seeStorage(objects: Pick<ObjectStore, 'get'>): BackupsSeen {
  const overview = async (): Promise<BackupOverview> => {
    const bytes = await objects.get(overviewKey)
    return bytes ? overviewSchema.parse(JSON.parse(Buffer.from(bytes).toString())) : none
  }
  return {
    unseen: 'They are in the storage: see its state.',
    overview,
    findNewest: async (until) =>
      (await overview()).backups.map(({ prefix }) => toTime(prefix)).find((at) => at <= until),
  }
}
