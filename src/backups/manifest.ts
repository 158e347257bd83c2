import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tierSchema } from './backup-tiers.ts'

/** Version of the format. It grows when older programs could not restore a backup that a newer one wrote. */
export const format = 2

/** Size and checksum of a file; `sha256` is what `sha256sum` prints. */
const checksumSchema = z.strictObject({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
export type Checksum = z.output<typeof checksumSchema>

/** Facts that must be the same for a database and its copy. */
const factsSchema = z.strictObject({
  /** Names of the migrations that made its tables. */
  migrations: z.array(z.string()),
  /** Number of rows, by table. */
  rows: z.record(z.string(), z.int().min(0)),
  /** By `table.column`, for every column named `amount` (atomic units or credits) or `credits`. */
  sums: z.record(z.string(), z.string().regex(/^-?\d+$/)),
})
export type DatabaseFacts = z.output<typeof factsSchema>

/** The databases of the site and of the game; a site without a game has one. */
const databaseSchema = z.enum(['game.db', 'ledger.db'])
export type DatabaseName = z.output<typeof databaseSchema>

const manifestSchema = z.strictObject({
  format: z.literal([1, format]),
  tier: tierSchema,
  createdAt: z.iso.datetime(),
  /** Version of the program that made it. */
  program: z.string(),
  newestSaleAt: z.iso.datetime().nullable(),
  databases: z.partialRecord(databaseSchema, factsSchema),
  files: z.array(
    z.strictObject({
      /** Its path in the data folder. */
      name: z.string().regex(/^(?:ledger\.db|game\.db|resume-tokens\.key|receipts\.key|products\/[0-9a-f]{64})$/),
      ...checksumSchema.shape,
      /** Size and checksum of the file as it is stored, which may be compressed. */
      stored: checksumSchema,
    }),
  ),
  /** Products that the ledger refers to and that were already gone or damaged when this backup was made. */
  missing: z.array(z.string()),
})

/** The content of a backup. It is written last, after everything was stored and verified. */
export type Manifest = z.output<typeof manifestSchema>
export type BackupFile = Manifest['files'][number]

/** A backup that is incomplete or was changed since it was written. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}

/** A backup of a later program. This program cannot read it, but it may be complete. */
export class LaterBackup extends DamagedBackup {}

/** The text of the manifest file: indented JSON with a checksum of itself, so that every changed byte is noticed. */
export function toManifestText(manifest: Manifest): string {
  const ordered = manifestSchema.parse(manifest)
  const sha256 = createHash('sha256').update(JSON.stringify(ordered)).digest('hex')
  return `${JSON.stringify({ ...ordered, sha256 }, null, 2)}\n`
}

const signedSchema = manifestSchema.extend({ sha256: z.string() }).transform(({ sha256: _, ...manifest }) => manifest)
const versionSchema = z.object({ format: z.int() })

/** @throws DamagedBackup when the text is not exactly what `toManifestText` wrote */
export function readManifest(text: string): Manifest {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new DamagedBackup('the manifest of the backup is damaged: it cannot be read', { cause })
  }
  const version = versionSchema.safeParse(parsed)
  if (version.success && version.data.format > format)
    throw new LaterBackup(
      `the backup has format ${version.data.format}, which only a newer version of this program can read`,
    )
  const read = signedSchema.safeParse(parsed)
  if (!read.success || toManifestText(read.data) !== text)
    throw new DamagedBackup('the manifest of the backup is damaged')
  return read.data
}

/** The key of a file of a backup. All backups share one copy of each product, because products never change. */
export function toKey(prefix: string, name: string): string {
  if (name.startsWith('products/')) return name
  return isCompressed(name) ? `${prefix}/${name}.zst` : `${prefix}/${name}`
}

/** Whether a file is stored compressed: products are mostly in compressed formats already, and key files are tiny. */
export const isCompressed = (name: string): boolean => name.endsWith('.db')

export const toManifestKey = (prefix: string): string => `${prefix}/manifest.json`
