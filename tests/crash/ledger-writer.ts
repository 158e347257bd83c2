// Writes sale after sale to the ledger until it is killed, and reports each commit on standard output once it is done:
// `node tests/crash/ledger-writer.ts <data folder> <first number>`.
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { makeOwner } from '../../src/storage/lease-owner.ts'
import { isReleased, numberedSale } from '../support/numbered-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

const [dataDir = '', first = '0'] = process.argv.slice(2)
/** Writes synchronously to the pipe, so that what was written outlives this process. */
const say = (line: string): void => void writeSync(1, `${line}\n`)

flushCompileCache()
say('loaded')
const db = await openTestLedger(dataDir)
const products = makeProductStore(join(dataDir, 'products'))
const ledger = makeLedger({ db, products, owner: makeOwner(), now: Date.now, newReceiptId })

for (let number = Number(first); ; number++) {
  const { claim, product, transaction } = numberedSale(number)
  const lease = await ledger.claim(claim)
  if (!lease) throw new Error(`sale ${number} is taken already`)
  say(`working ${number}`)
  if (isReleased(number)) {
    await ledger.release(lease)
    say(`released ${number}`)
    continue
  }
  await ledger.keepForSettlement(lease, product, 1)
  say(`settling ${number}`)
  await ledger.recordSale(lease, { transaction: transaction })
  say(`settled ${number}`)
}
