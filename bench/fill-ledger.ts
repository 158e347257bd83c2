import { sql } from 'kysely'
import { sandboxPayTo } from '../src/config/sandbox-accounts.ts'
import { network, usdcAddress } from '../src/core/chain-constants.ts'
import { openLedgerDatabase } from '../src/storage/open-ledger-database.ts'
import { isPostgres } from '../src/storage/transact.ts'

const dayMs = 24 * 60 * 60 * 1000
const atOnce = 50_000

/**
 * Fills a ledger with sales of the last year, as in a shop whose old products were already removed. It writes them by
 * SQL, because real sales would take hours for a million.
 *
 * @param place of the ledger: a file, or the URL of a database
 */
export async function fillLedger(
  place: { readonly file: string; readonly url?: string },
  count: number,
): Promise<void> {
  const db = await openLedgerDatabase(place.file, place.url)
  try {
    const random = isPostgres(db) ? sql`encode(sha256(n::text::bytea), 'hex')` : sql`lower(hex(randomblob(32)))`
    const begun = Date.now() - 365 * dayMs
    const stepMs = Math.floor((365 * dayMs) / count)
    for (let first = 1; first <= count; first += atOnce) {
      const last = Math.min(first + atOnce, count + 1) - 1
      await sql`
        with recursive number (n) as (select ${sql.lit(first)} union all select n + 1 from number where n < ${sql.lit(last)})
        insert into payment (key, offer_id, product, path, fingerprint, "authorization", payer, pay_to, asset, network,
          nonce, amount, valid_before, state, owner, lease_until, fence, body_bytes, body_sha256, transaction_hash,
          deliveries, created_at, settled_at)
        select ${sql.lit(network)} || '|' || ${sql.lit(usdcAddress.toLowerCase())} || '|0x' || n || '|0x' || ${random},
          'x402-seller', 'x402 seller', '/skills/x402-seller/raw', ${random}, '{}', '0x' || (n % 20000),
          ${sql.lit(sandboxPayTo)}, ${sql.lit(usdcAddress)}, ${sql.lit(network)}, '0x' || n, '100000', 1, 'settled', 'o', 0,
          1, 4000, ${random}, '0x' || ${random}, 1, ${sql.lit(begun)} + cast(n as bigint) * ${sql.lit(stepMs)},
          ${sql.lit(begun)} + cast(n as bigint) * ${sql.lit(stepMs)}
        from number`.execute(db)
      await sql`
        insert into sale (id, payment_key, offer_id, product, path, amount, asset, network, pay_to, payer,
          transaction_hash, settled_at, finality)
        select 'r_' || fingerprint, key, offer_id, product, path, amount, asset, network, pay_to, payer, transaction_hash,
          settled_at, 'final'
        from payment where created_at between ${sql.lit(begun + first * stepMs)} and ${sql.lit(begun + last * stepMs)}`.execute(
        db,
      )
    }
    await sql`
      insert into sale_total (day, offer_id, path, count, micros)
      select '', offer_id, path, count(*), count(*) * 100000 from sale group by offer_id, path`.execute(db)
    await sql`analyze`.execute(db)
  } finally {
    await db.destroy()
  }
}
