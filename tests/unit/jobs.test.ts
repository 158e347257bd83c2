import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { jobLeaseMs, makeJobRuns, type Run } from '../../src/jobs/job-runs.ts'
import { runJob } from '../../src/jobs/run-job.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { makeDeadOwner } from '../support/dead-owner.ts'
import { figure, seed } from '../support/figures.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openTestLedger } from '../support/test-databases.ts'

const rowsOf = (db: LedgerDatabase) =>
  db.selectFrom('job_run').selectAll().orderBy('fence').orderBy('job', 'desc').execute()
/** An owner on this host whose process cannot exist. */
const dead = makeDeadOwner()

describe('a job', () => {
  it('runs once and records its result', async () => {
    const db = await openTestLedger()
    const outcome = await runJob({
      db,
      name: 'scan',
      dueAt: 5,
      now: () => 9,
      work: async (_, progress) => {
        await progress({ done: 1 })
        expect(await rowsOf(db)).toMatchObject([{ state: 'running', result: '{"done":1}', finished_at: null }])
        return { done: 2 }
      },
    })
    expect(outcome).toEqual({ is: 'ran', result: { done: 2 } })
    expect(await rowsOf(db)).toMatchObject([
      { job: 'scan', due_at: 5, state: 'succeeded', result: '{"done":2}', started_at: 9, finished_at: 9, error: null },
    ])
  })

  it('that is running is not started again, but another one is', async () => {
    const db = await openTestLedger()
    const other = (name: string) => runJob({ db, name, dueAt: 0, work: async () => name })
    const outcome = await runJob({
      db,
      name: 'scan',
      dueAt: 0,
      work: async () => [await other('scan'), await other('backup')],
    })
    expect(outcome).toEqual({ is: 'ran', result: [{ is: 'busy', owner: expect.any(String) }, expect.anything()] })
    expect((await rowsOf(db)).map(({ job, state }) => [job, state])).toEqual([
      ['scan', 'succeeded'],
      ['backup', 'succeeded'],
    ])
  })

  it('that throws has failed, and says why', async () => {
    const db = await openTestLedger()
    const error = new Error('no voice')
    const outcome = await runJob({ db, name: 'scan', dueAt: 0, work: () => Promise.reject(error) })
    expect(outcome).toEqual({ is: 'failed', error })
    expect(await rowsOf(db)).toMatchObject([{ state: 'failed', error: 'Error: no voice' }])
  })

  it('is aborted when its caller stops', async () => {
    const db = await openTestLedger()
    const stop = new AbortController()
    const outcome = runJob({
      db,
      name: 'scan',
      dueAt: 0,
      signal: stop.signal,
      work: (signal) => wait(60_000, 'never', { signal }),
    })
    setTimeout(() => stop.abort(), 20)
    expect(await outcome).toEqual({ is: 'stopped' })
    expect(await rowsOf(db)).toMatchObject([{ state: 'failed', error: 'it was stopped' }])
  })

  it('of a dead process is taken over at once, and one on another host when its lease has expired', async () => {
    const db = await openTestLedger()
    let ms = 1000
    const now = () => ms
    const run = () => runJob({ db, name: 'scan', dueAt: 0, now, work: async () => 'done' })
    for (const [owner, waitMs] of [[dead, 0] as const, ['elsewhere/1/1/abc', jobLeaseMs] as const]) {
      await makeJobRuns({ db, owner, now }).begin({ job: 'scan', dueAt: 0 })
      if (waitMs > 0) expect(await run()).toEqual({ is: 'busy', owner })
      ms += waitMs
      expect(await run()).toMatchObject({ is: 'ran' })
    }
    expect((await rowsOf(db)).map(({ state, fence, error }) => [state, fence, error])).toEqual([
      ['failed', 1, 'its process ended'],
      ['succeeded', 2, null],
      ['failed', 3, 'its process ended'],
      ['succeeded', 4, null],
    ])
  })

  it('that was taken over changes nothing any more', async () => {
    const db = await openTestLedger()
    let ms = 1000
    const outcome = await runJob({
      db,
      name: 'scan',
      dueAt: 0,
      now: () => ms,
      work: async (_, progress) => {
        ms += jobLeaseMs
        await runJob({ db, name: 'scan', dueAt: 0, now: () => ms, work: async () => 'theirs' })
        await progress('mine')
        return 'mine'
      },
    })
    expect(outcome).toEqual({ is: 'lost' })
    expect((await rowsOf(db)).map(({ state, result }) => [state, result])).toEqual([
      ['failed', null],
      ['succeeded', '"theirs"'],
    ])
  })

  it('is restarted once by two processes that saw the same failure, even if the first is done by then', async () => {
    const db = await openTestLedger()
    const [one, other] = ['a/1/1/x', 'b/1/1/x'].map((owner) => makeJobRuns({ db, owner, now: () => 9 }))
    if (!one || !other) throw new Error('there are two')
    const begin = async () => {
      const run = await one.begin({ job: 'scan', dueAt: 0 })
      if ('heldBy' in run) throw new Error('it is held')
      return run
    }
    const failed = await begin()
    const [running] = await other.findLast('scan', 1)
    await one.end(failed, { state: 'failed', error: 'no space left' })
    // The run that this process saw has ended since.
    expect(await other.beginAgain({ job: 'scan', dueAt: 9 }, running)).toBeUndefined()
    const [seen] = await other.findLast('scan', 1)
    const again = await one.beginAgain({ job: 'scan', dueAt: 9 }, seen)
    if (!again) throw new Error('it did not begin')
    await one.end(again, { state: 'failed', error: 'no space left' })
    expect(await other.beginAgain({ job: 'scan', dueAt: 9 }, seen)).toBeUndefined()
  })

  it('learns while it works that it was taken over', async () => {
    const db = await openTestLedger()
    const ended = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const work = (signal: AbortSignal) => {
      begun.resolve()
      signal.addEventListener('abort', () => ended.resolve(String(signal.reason)))
      return wait(15_000, 'never', { signal })
    }
    const outcome = runJob({ db, name: 'scan', dueAt: 0, work })
    await begun.promise
    await db.updateTable('job_run').set({ lease_until: 1 }).execute()
    await runJob({ db, name: 'scan', dueAt: 0, work: async () => 'theirs' })
    expect(await Promise.race([ended.promise, outcome])).toBe('Error: another process runs scan')
    expect(await outcome).toEqual({ is: 'lost' })
  })
})

it('continues while its ledger cannot be written for less than a lease, and is aborted when that has expired', async () => {
  const db = await openTestLedger()
  const clock = { ms: Date.UTC(2026, 10, 22) }
  const signals: AbortSignal[] = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const outcome = runJob({
    db,
    name: 'scan',
    dueAt: 0,
    now: () => clock.ms,
    work: async (signal) => {
      signals.push(signal)
      await wait(60_000, undefined, { signal })
    },
  })
  while (signals.length === 0) await wait(1)
  const readLease = async () => (await rowsOf(db))[0]?.lease_until
  const pass = async (times: number, canWrite: boolean) => {
    for (let time = 0; time < times; time++) {
      const before = await readLease()
      clock.ms += 3000
      await vi.advanceTimersByTimeAsync(3000)
      if (canWrite) while ((await readLease()) === before) await wait(5)
      await wait(50)
    }
    return signals[0]?.aborted
  }
  expect(await pass(4, true)).toBe(false)
  const allow = await refuseWrites(db, 'update', 'job_run')
  expect(await pass(2, false)).toBe(false)
  await allow()
  expect(await pass(1, true)).toBe(false)
  const allowAgain = await refuseWrites(db, 'update', 'job_run')
  expect(await pass(3, false)).toBe(false)
  await pass(1, false)
  expect(await outcome).toEqual({ is: 'lost' })
  await allowAgain()
})

it('at most one run of a job holds its lease, whatever several processes do in whatever order', async () => {
  const names = ['a/1/1/x', 'b/1/1/x', 'c/1/1/x']
  const action = fc.record({
    who: fc.nat(names.length - 1),
    what: fc.constantFrom('begin', 'begin', 'renew', 'end', 'wait'),
    ms: fc.integer({ min: 1, max: jobLeaseMs }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const db = await openTestLedger()
      let ms = 1000
      const processes = names.map((owner) => makeJobRuns({ db, owner, now: () => ms }))
      const held: (Run | undefined)[] = names.map(() => undefined)
      const leases = names.map(() => 0)
      // A process believes that it runs the job until its lease expires or it is told otherwise.
      const running = () => leases.filter((until, who) => held[who] && until > ms).length
      for (const { who, what, ms: later } of actions) {
        const runs = processes[who]
        const run = held[who]
        if (what === 'wait') ms += later
        else if (what === 'begin' && runs && !run) {
          const begun = await runs.begin({ job: 'job', dueAt: 0 })
          if ('heldBy' in begun) expect(running()).toBe(1)
          else [held[who], leases[who]] = [begun, ms + jobLeaseMs]
        } else if (what === 'renew' && runs && run) {
          if (await runs.renew(run)) leases[who] = ms + jobLeaseMs
          else held[who] = undefined
        } else if (what === 'end' && runs && run) {
          await runs.end(run, { state: 'succeeded', result: '{}' })
          held[who] = undefined
        }
        expect(running()).toBeLessThanOrEqual(1)
      }
      const rows = await rowsOf(db)
      expect(rows.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(1)
      expect(rows.map(({ fence }) => fence)).toEqual(rows.map((_, index) => index + 1))
      await db.destroy()
    }),
    { numRuns: figure(100, 3000), ...seed },
  )
})
