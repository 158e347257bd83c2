import { sha256 } from '../core/sha256.ts'
import type { OauthRecords } from './oauth-records.ts'
import type { OauthDatabase } from './open-oauth-database.ts'

const hourMs = 60 * 60 * 1000
/** A program that nobody permitted anything is forgotten after this. */
const unusedMs = 24 * hourMs
/** How many programs one household may make known within an hour. */
const maxPerHousehold = 10
/** Beyond this many, the household that was quiet for longest is forgotten. */
const maxHouseholds = 10_000

interface Options {
  readonly db: OauthDatabase
  readonly records: Pick<OauthRecords, 'keep'>
  readonly now: () => number
}

/**
 * The programs that asked to be known. Anybody may ask, so what is kept of strangers is bounded by number and age; a
 * program that the operator has permitted something stays as long as the permission.
 */
export function makeRegisteredClients({ db, records, now }: Options) {
  /** When each household registered within the last hour; counted here, because a crowd pushes the programs out. */
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
    /** How many seconds a household has to wait before it may register another program; 0 when it may. */
    secondsToWait(household: string): number {
      const first = timesOf(household).at(-maxPerHousehold)
      return first === undefined ? 0 : Math.ceil((first + hourMs - now()) / 1000)
    },

    async keep(id: string, payload: string, household: string): Promise<void> {
      note(household)
      await records.keep('Client', id, { payload, household, expiresAt: now() + unusedMs })
    },

    /** The operator has permitted it something until then. */
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
