import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeChangeWatch } from '../../src/operator/watch-changes.ts'
import { openTestLedger } from '../support/test-databases.ts'

it('retries an unreadable ledger after a while, without blocking the event loop', async () => {
  const db = await openTestLedger()
  await db.destroy()
  const reported: unknown[] = []
  const changes = makeChangeWatch({
    db,
    report: (error) => {
      reported.push(error)
      // Stops a retry loop that would never end.
      if (reported.length >= 1000) stop()
    },
  })
  const stop = changes.watch(() => {})
  await delay(300)
  stop()
  await changes.close()
  expect(reported).toHaveLength(1)
})
