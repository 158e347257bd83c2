import type { OauthDatabase } from './open-oauth-database.ts'

/** Bytes of one record that a stranger causes: an address of 8192 characters, escaped, is the longest of them. */
export const maxPayloadBytes = 24 * 1024

/** How much is remembered of strangers, by kind: in all, and of one household. */
const programs = { rows: 200, ofOne: 20 }
const others = { rows: 500, ofOne: 20 }

/**
 * Makes room for one more record of a household. A household that has its share gives up its own oldest; when there
 * is no room at all, the one that has most gives up its oldest. So whoever asks once is pushed out only when more
 * households ask at the same time than there is room for, and what the operator is at work on never is.
 */
export async function makeRoom(db: OauthDatabase, kind: string, household: string): Promise<void> {
  const { rows, ofOne } = kind === 'Client' ? programs : others
  const shares = await db
    .selectFrom('oauth_record')
    .select((select) => ['household', select.fn.countAll<number>().as('count')])
    .where('kind', '=', kind)
    .where('household', 'is not', null)
    .groupBy('household')
    .orderBy('count', 'desc')
    .orderBy((order) => order.fn.min('created_at'))
    .execute()
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  const own = shares.find((share) => share.household === household)
  const giver = own && own.count >= ofOne ? own : total >= rows ? shares[0] : undefined
  if (!giver) return
  const oldest = db
    .selectFrom('oauth_record')
    .select('id_hash')
    .where('kind', '=', kind)
    .where('household', '=', giver.household)
    .orderBy('created_at')
    .limit(1)
  await db.deleteFrom('oauth_record').where('kind', '=', kind).where('id_hash', 'in', oldest).execute()
}
