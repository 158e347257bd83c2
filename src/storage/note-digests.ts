import { type Kysely, sql } from 'kysely'
import { sha256 } from '../core/sha256.ts'

interface Kept {
  readonly offer_id: string
  readonly body: Uint8Array | null
  readonly body_file: string | null
}

/** Where a skill says its version: in its front matter, among the first of its bytes. */
const versionLine = /^ {2}version: "?([^"\n]+)"?$/m
const frontMatterBytes = 8192

/** For sales of before: what they sold, as far as the bytes are still there. One at a time, for some are large. */
export async function noteDigests(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from payment where body is not null or body_file is not null
  `.execute(db)
  for (const { key } of rows) {
    const kept = await sql<Kept>`select offer_id, body, body_file from payment where key = ${key}`.execute(db)
    for (const { offer_id, body, body_file } of kept.rows) {
      // A product in a file of its own has its digest for a name.
      const digest = body ? sha256(body) : body_file
      const head = Buffer.from(body?.subarray(0, frontMatterBytes) ?? []).toString('utf8')
      const version = offer_id.startsWith('skill/') ? (versionLine.exec(head)?.[1] ?? null) : null
      await sql`update payment set digest = ${digest}, version = ${version} where key = ${key}`.execute(db)
    }
  }
}
