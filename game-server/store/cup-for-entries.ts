import { findCupForEntries, toCupScope } from '../../src/payments/ledger/grants.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** The cup for which an entry counts that is bought now. */
export interface CupForEntries {
  readonly id: string
  readonly isOpen: boolean
  /** Null until the cup is opened. */
  readonly opensAt: string | null
  readonly closesAt: string | null
  /** The same in words, for the buyer. */
  readonly text: string
}

const toMinute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** The cup for which an entry counts now, as a buyer is told before signing a payment. */
export async function readCupForEntries(db: LedgerDatabase, at: number): Promise<CupForEntries> {
  const number = await findCupForEntries(db, at)
  const id = toCupScope(number)
  const cup = await db
    .selectFrom('cup')
    .select(['opened_at', 'closes_at'])
    .where('number', '=', number)
    .executeTakeFirst()
  if (!cup) {
    const text = `No cup is open, and none is announced. An entry that you buy now is for ${id}, the next cup, whenever it opens; it does not expire before.`
    return { id, isOpen: false, opensAt: null, closesAt: null, text }
  }
  const [opensAt, closesAt] = [new Date(cup.opened_at).toISOString(), new Date(cup.closes_at).toISOString()]
  return { id, isOpen: true, opensAt, closesAt, text: `For ${id}, which is open until ${toMinute(closesAt)}.` }
}
