import { type Kysely, sql } from 'kysely'
import { sha256 } from '../core/sha256.ts'

interface Kept {
  readonly offer_id: string
  readonly body: Uint8Array | null
  readonly body_file: string | null
}

/** The version line in the front matter of a skill, which is within the first bytes. */
const versionLine = /^ {2}version: "?([^"\n]+)"?$/m
const frontMatterBytes = 8192

/** Fills in digest and version of earlier payments whose product is still stored. One at a time: some are large. */
export async function noteDigests(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from payment where body is not null or body_file is not null
  `.execute(db)
  for (const { key } of rows) {
    const kept = await sql<Kept>`select offer_id, body, body_file from payment where key = ${key}`.execute(db)
    for (const { offer_id, body, body_file } of kept.rows) {
      // A product that is stored in a file of its own is named by its digest.
      const digest = body ? sha256(body) : body_file
      const head = Buffer.from(body?.subarray(0, frontMatterBytes) ?? []).toString('utf8')
      const version = offer_id.startsWith('skill/') ? (versionLine.exec(head)?.[1] ?? null) : null
      await sql`update payment set digest = ${digest}, version = ${version} where key = ${key}`.execute(db)
    }
  }
}
