// `npm run recover`: writes sales back that the ledger lost, as far as others still know them.

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BaseError } from 'viem'
import { readConfig } from '../config/config.ts'
import { rpcUrlOf } from '../config/other-networks.ts'
import { showUnits } from '../core/assets.ts'
import { toDisplay } from '../core/money.ts'
import { toSaidText } from '../core/said-text.ts'
import { toUtcDate } from '../core/utc-date.ts'
import { makeLedgerSales } from '../payments/ledger/ledger-sales.ts'
import { newReceiptId } from '../payments/ledger/receipts.ts'
import { recoverFromChain } from '../payments/recover-from-chain.ts'
import { toWallet } from '../site/open-rails.ts'
import { openProducts, openStorage } from '../site/open-storage.ts'
import { makeOwner } from '../storage/lease-owner.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../storage/open-ledger-database.ts'

const help = `npm run recover -- from-chain                 writes back every payment that the chain shows and the ledger does not know
npm run recover -- from-chain --dry-run       lists them, and changes nothing
npm run recover -- from-chain --since DAY     looks back to this UTC day, such as 2026-11-22

Without --since it looks back to a day before the newest sale that the ledger knows, and 30 days in an empty one. The
shop may run meanwhile. What was bought is not known from the chain: a wallet that paid gets it for nothing when it
asks for it again. Money that was sent to your wallet without an authorization is no purchase, and is left out.`

const dayMs = 24 * 60 * 60 * 1000
const emptyDays = 30

/** A day that no month has would be a later one, and what was paid before it would stay lost. */
function readDay(said: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(said) ? Date.parse(said) : Number.NaN
  if (Number.isNaN(at) || toUtcDate(at) !== said)
    throw new Error(`--since is a day such as 2026-11-22, and not ${said}`)
  return at
}

async function sinceNewest(db: LedgerDatabase): Promise<number> {
  const newest = db.selectFrom('sale').select('settled_at').orderBy('settled_at', 'desc').limit(1)
  const last = await newest.executeTakeFirst()
  return last ? last.settled_at - dayMs : Date.now() - emptyDays * dayMs
}

async function fromChain(said: { since?: string | undefined; isDryRun: boolean }): Promise<void> {
  const day = said.since === undefined ? undefined : readDay(said.since)
  const config = readConfig(process.env)
  const dataDir = resolve(config.dataDir)
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'), config.databaseUrl())
  try {
    const since = day ?? (await sinceNewest(db))
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
  } finally {
    await db.destroy()
  }
}

/** What became of what was found before the chain's RPC was silent. */
let foundIs = 'written back'

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      since: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values['dry-run']) foundIs = 'listed, and nothing was changed'
  if (values.help) console.log(help)
  else if (positionals.join(' ') !== 'from-chain') throw new Error(`say what to recover from:\n\n${help}`)
  else await fromChain({ since: values.since, isDryRun: values['dry-run'] })
} catch (error) {
  const isOfChain = error instanceof BaseError
  console.error(
    isOfChain
      ? `the chain's RPC does not answer: ${toSaidText(new Error(error.shortMessage))} What was found until then is ${foundIs}; run this again`
      : toSaidText(error),
  )
  process.exitCode = 1
}
