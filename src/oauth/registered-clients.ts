import { sha256 } from '../core/sha256.ts'
import type { OauthRecords } from './oauth-records.ts'
import type { OauthDatabase } from './open-oauth-database.ts'

const hourMs = 60 * 60 * 1000
/** A client that the operator permitted nothing is deleted after this time. */
const unusedMs = 24 * hourMs
/** The largest number of clients that one household (client key) may register within an hour. */
const maxPerHousehold = 10
/** The largest number of households in memory; beyond it the one that was inactive for longest is forgotten. */
const maxHouseholds = 10_000

interface Options {
  readonly db: OauthDatabase
  readonly records: Pick<OauthRecords, 'keep'>
  readonly now: () => number
}

/**
 * The registered clients. Anybody may register, so those of strangers are limited in number and age; a client that the
 * operator permitted something is kept as long as the permission.
 */
export function makeRegisteredClients({ db, records, now }: Options) {
  /**
   * The times of registrations of each household within the last hour. They are in memory because the stored clients
   * may be evicted by others.
   */
  const lately = new Map<string, readonly number[]>()
  const timesOf = (household: string): readonly number[] =>
    (lately.get(household) ?? []).filter((at) => at > now() - hourMs)

  function note(household: string): void {
    const times = [...timesOf(household), now()]
    lately.delete(household)
    const [quietest] = lately.keys()
    if (lately.size >= maxHouseholds && quietest !== undefined) lately.delete(quietest)
    lately.set(household, times)
  }

  return {
    /** The seconds until a household may register another client; 0 if it may now. */
    secondsToWait(household: string): number {
      const first = timesOf(household).at(-maxPerHousehold)
      return first === undefined ? 0 : Math.ceil((first + hourMs - now()) / 1000)
    },

    async keep(id: string, payload: string, household: string): Promise<void> {
      note(household)
      await records.keep('Client', id, { payload, household, expiresAt: now() + unusedMs })
    },

    /** Keeps a client until its permission ends, at `until`. */
    async permit(id: string, grantId: string, until: number): Promise<void> {
      await db
        .updateTable('oauth_record')
        .set({ grant_id: grantId, household: null, expires_at: until })
        .where('kind', '=', 'Client')
        .where('id_hash', '=', sha256(id))
        .where('expires_at', '<', until)
        .execute()
    },
  }
}

export type RegisteredClients = ReturnType<typeof makeRegisteredClients>
