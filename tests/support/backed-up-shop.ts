import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { toPrefix } from '../../src/backups/backup-tiers.ts'
import { openFolderStore } from '../../src/backups/folder-store.ts'
import { writeBackup } from '../../src/backups/write-backup.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import { makeOwner } from '../../src/storage/lease-owner.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
import { numberedSale } from './numbered-sale.ts'
import { openTestGame, openTestLedger } from './test-databases.ts'

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'farthing-backup-'))

/** Settles these numbered sales in the ledger of a data folder; the fourth of eight has its product in a file. */
export async function sell(dataDir: string, numbers: readonly number[]): Promise<void> {
  const db = await openTestLedger(dataDir)
  const products = makeProductStore(join(dataDir, 'products'))
  const ledger = makeLedger({ db, products, owner: makeOwner(), now: Date.now, newReceiptId })
  for (const number of numbers) {
    const { claim, product, transaction } = numberedSale(number)
    const lease = await ledger.claim(claim)
    if (!lease) throw new Error(`sale ${number} is taken already`)
    await ledger.keepForSettlement(lease, product, 1)
    await ledger.recordSale(lease, { transaction: transaction })
  }
  await db.destroy()
}

/** A data folder of a shop with four sales, and of a game in which one player earned a credit. */
export async function makeShopToBackUp(dataDir = newFolder()): Promise<string> {
  mkdirSync(dataDir, { recursive: true })
  await sell(dataDir, [0, 1, 2, 3])
  readSecret(join(dataDir, 'resume-tokens.key'))
  readSecret(join(dataDir, 'receipts.key'))
  const ledger = await openTestLedger(dataDir)
  const game = await openTestGame(dataDir)
  await makeAccounts({ db: ledger, now: Date.now }).join({ name: 'Ada', kind: 'agent' })
  await makeCredits({ db: ledger, now: Date.now }).earn({ key: 'ada', credits: 2, reason: 'depth', ref: 'r1/1/2' })
  await game
    .insertInto('realm')
    .values({
      id: 'r1',
      mode: 'open',
      seed: 's',
      rules: 1,
      opened_at: 1,
      event: null,
      closed_at: null,
      frozen_at: null,
      fence: 0,
    })
    .execute()
  await game.destroy()
  await ledger.destroy()
  return dataDir
}

/** Makes a backup dated nine o'clock on this thread, because starting a worker takes longer than a small backup. */
export async function backUpShop(
  dataDir: string,
  folder: string,
  say: (line: string) => void = () => {},
): Promise<string> {
  const at = Date.UTC(2026, 10, 22, 9)
  const order = { dataDir, store: openFolderStore(folder), prefix: toPrefix('hourly', at), tier: 'hourly', at } as const
  const { prefix } = await writeBackup({ ...order, scratch: newFolder(), say })
  return prefix
}
