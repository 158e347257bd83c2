import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tierSchema } from './backup-tiers.ts'

/** Grows when an older program could not restore what a newer one wrote. */
export const format = 2

/** What a file is known by; `sha256` is what `sha256sum` prints. */
const checksumSchema = z.strictObject({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
export type Checksum = z.output<typeof checksumSchema>

/** What two copies of a database must agree in. */
const factsSchema = z.strictObject({
  /** Names of the migrations that made its tables. */
  migrations: z.array(z.string()),
  /** By table. */
  rows: z.record(z.string(), z.int().min(0)),
  /** By `table.column`, for every column of money (integer micro-USD) or game credits. */
  sums: z.record(z.string(), z.string().regex(/^-?\d+$/)),
})
export type DatabaseFacts = z.output<typeof factsSchema>

/** The files of both programs; a site without a game has one. */
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
      /** The same as it is kept. */
      stored: checksumSchema,
    }),
  ),
  /** Products that the ledger names and that were gone or damaged already when this backup was made. */
  missing: z.array(z.string()),
})

/** What is in a backup, written when all of it is there and was tried. */
export type Manifest = z.output<typeof manifestSchema>
export type BackupFile = Manifest['files'][number]

/** A backup that is not what was written, or not all of it. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup'
}

/** One that a later program made: to this one the same, but that it may be whole. */
export class LaterBackup extends DamagedBackup {}

/** The manifest as its file: readable, and with a sum over itself, so that no byte of it changes unnoticed. */
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

/** Where a file of a backup is kept. Products never change, so that all backups share one copy of each. */
export function toKey(prefix: string, name: string): string {
  if (name.startsWith('products/')) return name
  return isCompressed(name) ? `${prefix}/${name}.zst` : `${prefix}/${name}`
}

/** Products are compressed by what they are, and keys are a line. */
export const isCompressed = (name: string): boolean => name.endsWith('.db')

export const toManifestKey = (prefix: string): string => `${prefix}/manifest.json`
