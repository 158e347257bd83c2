import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { figure } from './figures.ts'
import { numberedSale } from './numbered-sale.ts'
import { makeDatabase, openTestLedger } from './test-databases.ts'

/** How often each race is run. */
export const rounds = figure(60, 1000)

export const turns = (count: number): number[] => Array.from({ length: count }, (_, turn) => turn)

export const ledgerOf = (db: LedgerDatabase, owner: string) =>
  makeLedger({ db, owner, now: Date.now, newReceiptId, products: makeProductStore('/nonexistent') })

let sold = 0
/** A payment that differs from all before it, for a product that fits into its row. */
export function nextSale(changes: object = {}) {
  sold += 8
  const { claim, product, transaction } = numberedSale(sold)
  return { claim: { ...claim, ...changes }, product: { mimeType: product.mimeType, body: product.body }, transaction }
}

/** Two programs on one database, each with connections of its own. */
export async function openTwoPrograms() {
  const place = crypto.randomUUID()
  await makeDatabase(place)
  const pair = [await openTestLedger(place), await openTestLedger(place)] as const
  return {
    place,
    pair,
    /** Runs work many times at once, half of it by each program. */
    together: <Result>(count: number, work: (db: LedgerDatabase, turn: number) => Promise<Result>): Promise<Result[]> =>
      Promise.all(turns(count).map((turn) => work(pair[turn % 2 === 0 ? 0 : 1], turn))),
    async close(): Promise<void> {
      for (const db of pair) await db.destroy()
    },
  }
}

export type TwoPrograms = Awaited<ReturnType<typeof openTwoPrograms>>
