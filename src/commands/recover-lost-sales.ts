import { join, resolve } from 'node:path'
import { BaseError } from 'viem'
import { readConfig } from '../config/config.ts'
import { rpcUrlOf } from '../config/other-networks.ts'
import { showUnits } from '../core/assets.ts'
import { toDisplay } from '../core/money.ts'
import { toSaidText } from '../core/said-text.ts'
import { makeLedgerSales } from '../payments/ledger/ledger-sales.ts'
import { newReceiptId } from '../payments/ledger/receipts.ts'
import { recoverFromChain } from '../payments/recover-from-chain.ts'
import { toWallet } from '../site/open-rails.ts'
import { openProducts, openStorage } from '../site/open-storage.ts'
import { makeOwner } from '../storage/lease-owner.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../storage/open-ledger-database.ts'

const dayMs = 24 * 60 * 60 * 1000
const emptyDays = 30

async function sinceNewest(db: LedgerDatabase): Promise<number> {
  const newest = db.selectFrom('sale').select('settled_at').orderBy('settled_at', 'desc').limit(1)
  const last = await newest.executeTakeFirst()
  return last ? last.settled_at - dayMs : Date.now() - emptyDays * dayMs
}

async function fromChain(said: Said): Promise<void> {
  const config = readConfig(process.env)
  const dataDir = resolve(config.dataDir)
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'), config.databaseUrl())
  try {
    const since = said.since ?? (await sinceNewest(db))
    console.log(`looking for payments to ${config.payTo} since ${new Date(since).toISOString()}`)
    const products = await openProducts(dataDir, await openStorage(config, db))
    const { recoverSale } = makeLedgerSales({ db, products, owner: makeOwner(), now: Date.now, newReceiptId })
    const found = recoverFromChain({
      ...{ db, recoverSale, since, isDryRun: said.isDryRun, wallet: toWallet(config) },
      rpcUrlOf: (network) => rpcUrlOf(config, network),
    })
    let [count, worth] = [0, 0n]
    for await (const paid of found) {
      count += 1
      worth += paid.worth
      console.log(
        [new Date(paid.at).toISOString(), paid.payer, showUnits(paid.amount, paid.option.asset), paid.transaction].join(
          '  ',
        ),
      )
    }
    const what = `${count} ${count === 1 ? 'payment' : 'payments'} that the ledger did not know, ${toDisplay(worth)}`
    console.log(said.isDryRun ? `${what}; nothing was changed` : `${what}; written back`)
    console.log(
      'Payments of the last minutes are left out as long as the chain may lose them; run this again in half an hour',
    )
  } finally {
    await db.destroy()
  }
}

/** The options of the command. */
interface Said {
  /** The time to start from, in milliseconds since 1970; undefined for the default in `sinceNewest`. */
  readonly since: number | undefined
  readonly isDryRun: boolean
}

/**
 * Adds payments that the chain has and the ledger does not, or lists them, and prints a line for each.
 *
 * @throws Error with one sentence, also when the RPC does not respond; it says what became of payments found before
 */
export async function recoverLostSales(said: Said): Promise<void> {
  try {
    await fromChain(said)
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const foundIs = said.isDryRun ? 'listed, and nothing was changed' : 'written back'
    const why = toSaidText(new Error(error.shortMessage))
    throw new Error(
      `the chain's RPC does not answer: ${why} Is it running, and is RPC_URL right? What was found before is ${foundIs}; run this again`,
    )
  }
}
