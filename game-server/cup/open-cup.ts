import { toCupScope } from '../../src/payments/ledger/grants.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { rules } from '../core/world.ts'
import { newSeed } from '../realms/new-seed.ts'
import { toCommitment } from './cup-seed.ts'

const hourMs = 60 * 60 * 1000

/**
 * Opens the next cup with a new seed, of which only the commitment is returned.
 *
 * @throws Error when one is open already
 */
export async function openCup(
  db: LedgerDatabase,
  { hours, now }: { hours: number; now: number },
): Promise<{ id: string; commitment: string; closesAt: number }> {
  const last = await db.selectFrom('cup').select(['number', 'state']).orderBy('number', 'desc').executeTakeFirst()
  if (last?.state === 'open') throw new Error(`${toCupScope(last.number)} is open; close it first`)
  const number = (last?.number ?? 0) + 1
  const seed = newSeed()
  const commitment = toCommitment(seed)
  const closesAt = now + hours * hourMs
  const times = { opened_at: now, closes_at: closesAt, closed_at: null, verified_at: null }
  const opened = await db
    .insertInto('cup')
    .values({ number, state: 'open', commitment, seed, rules, ...times })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (opened.numInsertedOrUpdatedRows !== 1n)
    throw new Error(`${toCupScope(number)} was opened just now by another program`)
  return { id: toCupScope(number), commitment, closesAt }
}
