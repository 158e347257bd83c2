import type { RootOperationNode } from 'kysely'
import { expect, it } from 'vitest'
import { makeReadiness } from '../../src/site/readiness.ts'
import { openTestLedger } from '../support/test-databases.ts'

it('writes to the ledger once for all checks that come while the write is under way', async () => {
  const ledger = await openTestLedger()
  const writes: RootOperationNode[] = []
  const db = ledger.withPlugin({
    transformQuery({ node }) {
      writes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const health = { findings: async () => [], gas: () => undefined }
  const checkReadiness = makeReadiness({ db, isSettling: () => true, health })
  const checks = await Promise.all(Array.from({ length: 5 }, checkReadiness))
  expect(checks.map((check) => check.ledger)).toEqual([true, true, true, true, true])
  expect(writes).toHaveLength(1)

  await ledger.destroy()
  await expect.poll(async () => (await checkReadiness()).ledger).toBe(false)
  const failed = await Promise.all([checkReadiness(), checkReadiness()])
  expect(failed.map((check) => check.ledger)).toEqual([false, false])
})
