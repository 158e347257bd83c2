import { expect, it } from 'vitest'
import { openQuoteCounter } from '../../src/payments/count-quotes.ts'
import { noMeters } from '../../src/payments/meters.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openTestLedger } from '../support/test-databases.ts'

it('writes quotes that could not be written once with the next ones, and counts each once', async () => {
  const db = await openTestLedger()
  const errors: unknown[] = []
  const counter = openQuoteCounter({ db, now: Date.now, report: (error) => errors.push(error) })
  const { quoted } = counter.along(noMeters)
  const counts = async () => {
    const rows = await db.selectFrom('quote_total').select(['offer_id', 'count']).orderBy('offer_id').execute()
    return rows.map(({ offer_id, count }) => [offer_id, Number(count)])
  }
  for (const offerId of ['image', 'image', 'pack', 'skill']) quoted(offerId)
  const allow = await refuseWrites(db, 'insert', 'quote_total', 'disk full', "new.offer_id = 'pack'")
  const failing = counter.flush()
  // By now the write has begun.
  await Promise.resolve()
  quoted('image')
  await failing
  expect([await counts(), errors.length]).toEqual([[['image', 2]], 1])
  await allow()
  await counter.close()
  expect(await counts()).toEqual([
    ['image', 3],
    ['pack', 1],
    ['skill', 1],
  ])
  await db.destroy()
})
