import { get, type Route } from '../../http/route.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { toDidDocument } from './did-document.ts'
import type { ReceiptKey } from './receipt-key.ts'

/** Publishes a key permanently: what it signed must stay verifiable after another key replaces it. */
export async function publishKey(db: LedgerDatabase, { x }: ReceiptKey, now: () => number): Promise<void> {
  await db
    .insertInto('receipt_key')
    .values({ x, since: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The route `/.well-known/did.json` of one origin, with all published keys: the current one first, then the newest. The
 * current one need not be the newest, because an operator may go back to an earlier secret.
 */
export const makeDidRoute = (db: LedgerDatabase, origin: string, current: Pick<ReceiptKey, 'x'>): Route =>
  get('/.well-known/did.json', async () => {
    const keys = await db.selectFrom('receipt_key').select('x').orderBy('since', 'desc').execute()
    const document = toDidDocument(origin, [...new Set([current.x, ...keys.map(({ x }) => x)])])
    return Response.json(document, { headers: { 'cache-control': 'public, max-age=300' } })
  })
