import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { StorageFailed } from '../storage/objects/storage-failed.ts'
import { hasCode } from '../storage/write-atomically.ts'
import { makeChecksum, readChecksum } from './checksum.ts'
import type { BackupStore } from './folder-store.ts'
import { type BackupFile, type Checksum, DamagedBackup, isCompressed, toKey } from './manifest.ts'

const isSame = (a: Checksum, b: Checksum): boolean => a.bytes === b.bytes && a.sha256 === b.sha256

/**
 * Whether an error means that the file itself is gone or damaged: it does not exist, the disk cannot read it, or it
 * cannot be unpacked. A full disk, a folder of another user and a storage that is down say nothing about a backup.
 */
const isOfFile = (error: unknown): boolean =>
  hasCode(error, 'ENOENT') ||
  hasCode(error, 'EIO') ||
  (error instanceof StorageFailed && error.kind === 'damaged') ||
  (error instanceof Error && 'code' in error && /^Z(?:STD)?_/.test(String(error.code)))

/** Turns an error of `step` into a `DamagedBackup` that names the file, if the file is what is wrong. */
async function about<Result>(file: BackupFile, step: Promise<Result>): Promise<Result> {
  return await step.catch((cause: unknown) => {
    throw isOfFile(cause) ? new DamagedBackup(`${file.name} of the backup cannot be read`, { cause }) : cause
  })
}

const toDamage = ({ name }: BackupFile): string =>
  `${name} of the backup is damaged: it has other bytes than were written`

/** @throws DamagedBackup when a file of a backup is gone or has other bytes than were written */
export async function assertHeld(store: BackupStore, prefix: string, file: BackupFile): Promise<void> {
  if (!(await about(file, store.holds(toKey(prefix, file.name), file.stored)))) throw new DamagedBackup(toDamage(file))
}

/** Like `assertHeld`, but always reads the file. */
async function checkStored(store: BackupStore, prefix: string, file: BackupFile): Promise<void> {
  const found = await about(file, readChecksum(store.read(toKey(prefix, file.name))))
  if (!isSame(found, file.stored)) throw new DamagedBackup(toDamage(file))
}

/**
 * Unpacks a file of a backup below a folder, at its path in the data folder.
 *
 * @throws DamagedBackup when it has other bytes than were written
 */
export async function unpackFile(store: BackupStore, prefix: string, file: BackupFile, folder: string): Promise<void> {
  // Checked before it is unpacked, because damaged bytes could unpack to any size.
  await checkStored(store, prefix, file)
  const path = join(folder, file.name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const source = store.read(toKey(prefix, file.name))
  const target = createWriteStream(path, { mode: 0o600, flush: true })
  const { pass, read } = makeChecksum()
  await about(
    file,
    isCompressed(file.name) ? pipeline(source, createZstdDecompress(), pass, target) : pipeline(source, pass, target),
  )
  if (!isSame(read(), file))
    throw new DamagedBackup(`${file.name} of the backup unpacks to other bytes than were packed`)
}
