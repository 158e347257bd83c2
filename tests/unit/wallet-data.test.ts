import { expect, it } from 'vitest'
import { readWalletData } from '../../src/commands/wallet-data.ts'
import { block } from '../../src/operator/blocks.ts'
import { recordRefund } from '../../src/operator/refunds.ts'
import { recordSale } from '../support/record-sale.ts'
import { openTestLedger } from '../support/test-databases.ts'

it('shows a wallet all its own purchases, nobody else’s, and no secret hashes', async () => {
  const db = await openTestLedger()
  const wallet = '0x00000000000000000000000000000000000000aA'
  await recordSale(db, 1, { path: '/one', amount: '100000', settledAt: 2000, payer: wallet.toLowerCase() })
  await recordSale(db, 2, { path: '/other', amount: '50000', settledAt: 3000, payer: '0xsomebody' })
  await recordSale(db, 3, { path: '/api/store/unlock', amount: '3000000', settledAt: 4000, payer: wallet })
  const grants = { player: 'Ada', tokenHash: 'guards it', entitlements: ['badge_tip'], isCupEntry: false }
  await db
    .updateTable('payment')
    .set({ grants: JSON.stringify(grants), created_at: 5 })
    .where('key', '=', 'k3')
    .execute()
  await block(db, wallet, 'a reason', 6000)
  const findRefund = () => Promise.reject(new Error('nobody asks the chain'))
  await recordRefund({ db, findRefund, now: () => 7000 }, { receipt: 'r_1', note: 'by hand' })
  const settled = { state: 'settled', transaction: '0xt' }
  expect(await readWalletData(db, wallet)).toEqual({
    wallet: wallet.toLowerCase(),
    blocked: { since: '1970-01-01T00:00:06.000Z', reason: 'a reason' },
    payments: [
      {
        ...{ ...settled, path: '/one', amountMicroUsd: '100000', receipt: 'r_1' },
        ...{ askedAt: '1970-01-01T00:00:00.001Z', settledAt: '1970-01-01T00:00:02.000Z' },
        refund: { amountMicroUsd: '100000', refundedAt: '1970-01-01T00:00:07.000Z', note: 'by hand' },
      },
      {
        ...{ ...settled, path: '/api/store/unlock', amountMicroUsd: '3000000', receipt: 'r_3' },
        ...{ askedAt: '1970-01-01T00:00:00.005Z', settledAt: '1970-01-01T00:00:04.000Z' },
        granted: { player: 'Ada', entitlements: ['badge_tip'] },
      },
    ],
  })
  await db.destroy()
})
