import { z } from 'zod'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import { type BackupStore, openFolderStore } from './folder-store.ts'
import { listBackups } from './list-backups.ts'
import { findNewestBackup, toTime } from './newest-backup.ts'

const overviewSchema = z.object({
  /** Size of everything that is stored for backups. */
  bytes: z.number(),
  /** The newest first. `bytes` is the unpacked size, or null when the manifest is damaged. */
  backups: z.array(z.object({ prefix: z.string(), bytes: z.number().nullable() })),
})

/** A summary of the backups for frequent requests. */
export type BackupOverview = z.output<typeof overviewSchema>

/** Reads what backups there are. */
export interface BackupsSeen {
  /** Advice for when they cannot be read. */
  readonly unseen: string
  /** When the newest finished backup up to `until` was begun; both in ms since 1970. Undefined when there is none. */
  findNewest(until: number): Promise<number | undefined>
  overview(): Promise<BackupOverview>
}

const overviewKey = 'backups/overview.json'
const none: BackupOverview = { bytes: 0, backups: [] }

/** Lists all backups and reads their manifests. */
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

/** Writes the summary of the backups in a storage to one object, so that no request has to list the storage. */
export async function writeOverview(objects: ObjectStore, store: BackupStore): Promise<void> {
  await objects.put(overviewKey, Buffer.from(JSON.stringify(await describeBackups(store))))
}

/** The backups of a folder. */
export const seeFolder = (folder: string): BackupsSeen => ({
  unseen: 'Is BACKUP_DIR a folder of this user?',
  findNewest: (until) => findNewestBackup(folder, until),
  overview: () => describeBackups(openFolderStore(folder)),
})

/** The backups of a storage, as of the last `writeOverview`. */
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
