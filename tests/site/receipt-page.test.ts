import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordSale } from '../support/record-sale.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { openTestLedger } from '../support/test-databases.ts'

const toId = (number: number): string => `r_${String(number).padStart(32, '0')}`

let site: RunningSite
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-receipts-'))
  const db = await openTestLedger(dataDir)
  for (const number of [0, 1, 2]) {
    await recordSale(db, number, { path: '/skills/x402-buyer/raw', amount: '100000', settledAt: Date.now() })
    await db
      .updateTable('sale')
      .set({ id: toId(number) })
      .where('id', '=', `r_${number}`)
      .execute()
  }
  await db.updateTable('sale').set({ reversed_at: Date.now() }).where('id', '=', toId(1)).execute()
  const { asset, network, payer } = await db
    .selectFrom('sale')
    .selectAll()
    .where('id', '=', toId(2))
    .executeTakeFirstOrThrow()
  const refund = { asset, network, payer, seen: 'hand', note: 'by bank transfer', refunded_at: Date.now() } as const
  await db
    .insertInto('refund')
    .values({ ...refund, sale_id: toId(2), amount: '100000' })
    .execute()
  await db.destroy()
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9', dataDir })
})
afterAll(async () => {
  await site?.kill('SIGTERM')
})

it.each([
  ['paid', 0, 'Paid and settled'],
  ['lost by the chain', 1, 'Reversed: not paid'],
  ['sent back', 2, 'Paid and refunded'],
])('has the state of the payment as its heading when the sale was %s', async (_, number, said) => {
  const page = await (await site.fetch(`/receipts/${toId(number)}`)).text()
  expect(/<p class="kicker"[^>]*>([^<]*)</.exec(page)?.[1]).toBe(said)
})
