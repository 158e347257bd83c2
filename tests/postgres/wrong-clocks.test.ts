import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { ledgerOf, nextSale, openTwoPrograms, type TwoPrograms } from '../support/two-programs.ts'

const program = fileURLToPath(new URL('wrong-clock.ts', import.meta.url))

let programs: TwoPrograms
const others: ChildProcess[] = []
beforeAll(async () => {
  programs = await openTwoPrograms()
})
afterAll(async () => {
  for (const other of others) other.kill('SIGKILL')
  await programs.close()
})

it.each([
  ['behind', -60_000],
  ['ahead', 60_000],
])('respects the leases of payments and jobs when the clock of a machine is a minute %s', async (name, aheadMs) => {
  const [db] = programs.pair
  const owner = `elsewhere-${name}/1/2/3/4`
  const ledger = ledgerOf(db, 'here')
  const runs = makeJobRuns({ db, owner: 'here', now: Date.now })
  const other = fork(program, [programs.place, String(aheadMs), owner])
  others.push(other)
  const next = async () => (await Promise.race([once(other, 'message'), once(other, 'exit')]))[0]
  // A lease lasts 10 s, and a busy machine can take as long to start a program.
  expect(await next()).toBe('ready')
  const { claim } = nextSale()
  const mine = await ledger.claim(claim)
  const myRun = await runs.begin({ job: 'of the other', dueAt: 1 })
  // The other program must not take over what this one holds,
  other.send('go on')
  expect(await next()).toEqual({ unattended: [], isOthersHeld: true })
  // nor this one what the other holds.
  expect(await ledger.unattended()).toEqual([])
  const row = await ledger.find(`held by ${owner}`)
  expect(row && (await ledger.take(row))).toBeUndefined()
  expect(await runs.begin({ job: `of ${owner}`, dueAt: 1 })).toEqual({ heldBy: owner })
  if (mine) await ledger.release(mine)
  if ('id' in myRun) await runs.end(myRun, { state: 'succeeded', result: '{}' })
  // A holder that renews nothing loses its lease at the usual time, whatever any clock says.
  expect(row?.lease_until).toBeGreaterThan(Date.now() - 1000)
  expect(row?.lease_until).toBeLessThan(Date.now() + 10_500)
  await db.deleteFrom('payment').execute()
})
