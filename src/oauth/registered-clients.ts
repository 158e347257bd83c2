import { sha256 } from '../sha256.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

const hourMs = 60 * 60 * 1000
/** A program that nobody permitted anything is forgotten after this. */
const unusedMs = 24 * hourMs
/** How many programs one address may make known within an hour, beside those that were permitted something. */
const maxPerAddress = 10
/** How many unpermitted programs are remembered at all; the oldest makes room. */
const maxUnused = 200

/**
 * The programs that asked to be known. Anybody may ask, so what is kept of strangers is bounded by number and age; a
 * program that the operator has permitted something stays as long as the permission.
 */
export function makeRegisteredClients({ db, now }: { db: LedgerDatabase; now: () => number }) {
  const unused = () => db.selectFrom('oauth_record').where('kind', '=', 'Client').where('grant_id', 'is', null)

  return {
    /** How many seconds an address has to wait before it may register another program; 0 when it may. */
    async secondsToWait(address: string): Promise<number> {
      const at = now()
      const since = at - hourMs + unusedMs
      const theirs = await unused()
        .select('expires_at')
        .where('uid', '=', sha256(address))
        .where('expires_at', '>', since)
        .orderBy('expires_at', 'desc')
        .limit(maxPerAddress)
        .execute()
      const oldest = theirs[maxPerAddress - 1]
      return oldest ? Math.ceil((oldest.expires_at - since) / 1000) : 0
    },

    async keep(id: string, payload: string, address: string): Promise<void> {
      const expiresAt = now() + unusedMs
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('oauth_record').where('expires_at', '<=', now()).execute()
        const kept = unused()
          .select('id_hash')
          .orderBy('expires_at', 'desc')
          .limit(maxUnused - 1)
        await tx
          .deleteFrom('oauth_record')
          .where('kind', '=', 'Client')
          .where('grant_id', 'is', null)
          .where('id_hash', 'not in', kept)
          .execute()
        await tx
          .insertInto('oauth_record')
          .values({ kind: 'Client', id_hash: sha256(id), payload, uid: sha256(address), expires_at: expiresAt })
          .execute()
      })
    },

    /** The operator has permitted it something until then. */
    async permit(id: string, grantId: string, until: number): Promise<void> {
      await db
        .updateTable('oauth_record')
        .set({ grant_id: grantId, uid: null, expires_at: until })
        .where('kind', '=', 'Client')
        .where('id_hash', '=', sha256(id))
        .where('expires_at', '<', until)
        .execute()
    },
  }
}

export type RegisteredClients = ReturnType<typeof makeRegisteredClients>
