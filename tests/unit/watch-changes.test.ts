import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeChangeWatch } from '../../src/operator/watch-changes.ts'
import { openTestLedger } from '../support/test-databases.ts'

it('asks a ledger that cannot be read again after a while, and leaves the program to everybody else meanwhile', async () => {
  const db = await openTestLedger()
  await db.destroy()
  const reported: unknown[] = []
  const changes = makeChangeWatch({
    db,
    report: (error) => {
      reported.push(error)
      // What would never end by itself ends here.
      if (reported.length >= 1000) stop()
    },
  })
  const stop = changes.watch(() => {})
  await delay(300)
  stop()
  await changes.close()
  expect(reported).toHaveLength(1)
})
