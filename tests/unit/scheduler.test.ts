import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Work } from '../../src/jobs/carry-out.ts'
import { makeDueTimes } from '../../src/jobs/due-times.ts'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { type JobName, jobTable } from '../../src/jobs/job-table.ts'
import { makeScheduler, type WorkingJob } from '../../src/jobs/scheduler.ts'
import { makeOwner } from '../../src/storage/lease-owner.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { makeDeadOwner } from '../support/dead-owner.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { refuseWrites } from '../support/refuse-writes.ts'
import { openTestLedger } from '../support/test-databases.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 10, 22, 9, 30)
const hourly: Omit<WorkingJob, 'work'> = { name: 'hourly', cron: '0 * * * *', windowMs: 2 * hour }
const at = (text: string) => Date.parse(`2026-11-22T${text}Z`)

/** A ledger, a clock and schedulers that share both. Each run waits until the test ends it. */
async function open(jobs: Omit<WorkingJob, 'work'>[] = [hourly]) {
  const db = await openTestLedger()
  const clock = { ms: start }
  const logged: string[] = []
  const makeOne = (owner = makeOwner()) => {
    const stop = new AbortController()
    const ends: ((how: 'done' | 'broken') => void)[] = []
    const work: Work<unknown> = (signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        ends.push((how) => (how === 'done' ? resolve({}) : reject(new Error('no space left'))))
      })
    const scheduler = makeScheduler({
      db,
      jobs: jobs.map((job) => ({ ...job, work })),
      owner,
      now: () => clock.ms,
      log: (event, fields) => logged.push(`${event} ${JSON.stringify(fields)}`),
      signal: stop.signal,
    })
    const end = async (how: 'done' | 'broken' = 'done') => {
      for (const each of ends.splice(0)) each(how)
      await scheduler.idle()
    }
    return { look: () => scheduler.look(), end, stop, scheduler, count: () => ends.length }
  }
  return { db, clock, logged, makeOne }
}

const rowsOf = async (db: LedgerDatabase) =>
  (await db.selectFrom('job_run').selectAll().orderBy('started_at').orderBy('fence').execute()).map(
    ({ job, due_at, origin, state }) => `${job} ${new Date(due_at).toISOString().slice(5, 16)} ${origin} ${state}`,
  )

describe('a schedule', () => {
  it('is in UTC, and all its jobs have different names', () => {
    expect(jobTable.map(({ name }) => name)).toEqual<JobName[]>([
      'hourly-backup',
      'media-scan',
      'daily-backup',
      'weekly-backup',
      'monthly-backup',
      'reconcile',
      'publish',
      'websub',
      'webmentions',
      'newsletter',
      'crawler-check',
      'retention',
    ])
  })

  it('is in UTC in any time zone of the machine, and is due at exactly the moment that it names', () => {
    const zone = process.env['TZ']
    onTestFinished(() => {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    })
    process.env['TZ'] = 'America/New_York'
    const { latest, next } = makeDueTimes('10 3 * * *')
    const due = at('03:10:00')
    expect([due - 1, due, due + 1].map(latest)).toEqual([due - 24 * hour, due, due])
    expect(next(due - 1)).toBe(due)
  })

  it('knows the latest due time however the clock is set', () => {
    const moments = [
      ...[at('03:00:00'), at('03:09:59'), at('03:10:00'), at('20:00:00')],
      ...[at('03:09:59') + 24 * hour, at('03:10:00') + 24 * hour, at('03:10:00') - 40 * 24 * hour],
      ...[at('03:10:00'), at('03:09:59'), at('03:10:00') + 400 * 24 * hour],
    ]
    const { latest } = makeDueTimes('10 3 * * *')
    expect(moments.map(latest)).toEqual(moments.map((moment) => makeDueTimes('10 3 * * *').latest(moment)))
  })

  it('runs jobs that look for new content again at each start, once, and no others', async () => {
    const { makeOne, db } = await open([
      { ...hourly, isForStart: true },
      { ...hourly, name: 'plain' },
    ])
    const one = makeOne()
    const turn = async () => {
      await one.look()
      await one.end()
    }
    await turn()
    one.scheduler.again(['hourly', 'plain'])
    await turn()
    await turn()
    expect((await rowsOf(db)).map((row) => row.split(' ')[0]).toSorted()).toEqual(['hourly', 'hourly', 'plain'])
  })

  it('runs other jobs if one cannot be begun, and reports that error', async () => {
    const { db, makeOne } = await open([hourly, { ...hourly, name: 'second' }, { ...hourly, name: 'third' }])
    const one = makeOne()
    const allow = await refuseWrites(db, 'insert', 'job_run', 'its page is damaged', "new.job = 'hourly'")
    await expect(one.look()).rejects.toThrow(/^[^;]*its page is damaged[^;]*$/)
    await one.end()
    expect((await rowsOf(db)).map((row) => row.split(' ')[0])).toEqual(['second', 'third'])
    await allow()
    await one.look()
    await one.end()
    expect((await rowsOf(db)).map((row) => row.split(' ')[0]).toSorted()).toEqual(['hourly', 'second', 'third'])
  })

  it('runs each job once on a new installation, backups one after another', async () => {
    const { db, makeOne } = await open([...jobTable])
    const one = makeOne()
    for (let look = 0; look < 6; look++) {
      await one.look()
      await one.end()
    }
    const rows = await rowsOf(db)
    expect(rows).toHaveLength(jobTable.length)
    expect(rows).toEqual(expect.arrayContaining(['monthly-backup 11-01T03:30 schedule succeeded']))
    const backups = await db.selectFrom('job_run').selectAll().where('job', 'like', '%backup').execute()
    expect(backups).toHaveLength(4)
  })

  it('never runs two jobs of a lane at once', async () => {
    const { makeOne } = await open(jobTable.filter(({ name }) => name.endsWith('backup')))
    const one = makeOne()
    await one.look()
    await one.look()
    expect(one.count()).toBe(1)
  })

  it('catches up only the latest of several missed times', async () => {
    const { db, clock, makeOne } = await open()
    const one = makeOne()
    await one.look()
    await one.end()
    clock.ms = at('15:20:00')
    const restarted = makeOne()
    for (const look of [restarted.look, restarted.look, one.look]) await look()
    await restarted.end()
    expect(await rowsOf(db)).toEqual(['hourly 11-22T09:00 schedule succeeded', 'hourly 11-22T15:00 schedule succeeded'])
  })

  it('skips and logs a time that comes while the previous run is under way, here or elsewhere', async () => {
    const { db, clock, logged, makeOne } = await open()
    const [one, other] = [makeOne(), makeOne()]
    await one.look()
    clock.ms = at('10:00:01')
    await db
      .updateTable('job_run')
      .set({ lease_until: clock.ms + minute })
      .execute()
    for (const look of [other.look, one.look, other.look]) await look()
    expect(await rowsOf(db)).toEqual(['hourly 11-22T09:00 schedule running', 'hourly 11-22T10:00 schedule skipped'])
    expect(logged).toEqual(['job.skipped {"job":"hourly","dueAt":"2026-11-22T10:00:00.000Z"}'])
    await one.end()
    clock.ms = at('11:00:00')
    await other.look()
    expect((await rowsOf(db)).at(-1)).toBe('hourly 11-22T11:00 schedule running')
  })

  it('takes over a run that is older than twice its window, even if its owner renews it', async () => {
    const { db, clock, logged, makeOne } = await open()
    const [one, other] = [makeOne(), makeOne()]
    await one.look()
    clock.ms += 4 * hour - 1
    await db
      .updateTable('job_run')
      .set({ lease_until: clock.ms + minute })
      .execute()
    await other.look()
    expect(other.count()).toBe(0)
    clock.ms += 2
    await db
      .updateTable('job_run')
      .set({ lease_until: clock.ms + minute })
      .where('state', '=', 'running')
      .execute()
    await other.look()
    expect(other.count()).toBe(1)
    await Promise.all([one.end(), other.end()])
    const rows = await db.selectFrom('job_run').select(['state', 'error']).orderBy('fence').execute()
    expect(rows).toEqual([
      { state: 'failed', error: 'it lasted too long and was taken over' },
      { state: 'skipped', error: null },
      { state: 'succeeded', error: null },
    ])
    // The owner learns this like any failure.
    expect(logged).toContain('job.failed {"job":"hourly","error":"another run took it over"}')
  })

  it('takes over a hanging run of its own, even if nothing else is due soon', async () => {
    const { db, clock, makeOne } = await open([{ ...hourly, cron: '30 3 1 * *', lane: 'backups' }])
    const one = makeOne()
    await one.look()
    clock.ms += 4 * hour
    await one.look()
    expect(one.count()).toBe(1)
    clock.ms += 1
    await one.look()
    expect(one.count()).toBe(2)
    await one.end()
    expect((await rowsOf(db)).map((row) => row.split(' ').at(-1))).toEqual(['failed', 'succeeded'])
  })

  it('resumes an interrupted run at once, but a limited number of times', async () => {
    const { db, clock, makeOne } = await open()
    const lives = Array.from({ length: 6 }, (_, life) => makeOne(makeDeadOwner(String(life))))
    for (const life of lives) {
      clock.ms += 1000
      await life.look()
    }
    expect(await rowsOf(db)).toEqual([
      'hourly 11-22T09:00 schedule failed',
      ...Array.from({ length: 3 }, (_, n) => `hourly 11-22T09:30 again ${n < 2 ? 'failed' : 'running'}`),
    ])
  })

  it('retries a failed run after an hour if its next time is later, but never one started by hand', async () => {
    const daily = { ...hourly, name: 'daily', cron: '10 3 * * *' }
    const { db, clock, logged, makeOne } = await open([daily])
    const one = makeOne()
    await one.look()
    await one.end('broken')
    expect(logged).toEqual(['job.failed {"job":"daily","error":"Error: no space left"}'])
    await one.look()
    clock.ms += hour
    await one.look()
    await one.end()
    const runs = makeJobRuns({ db, owner: 'x/1/1/y', now: () => clock.ms })
    const run = await runs.begin({ job: 'daily', dueAt: clock.ms })
    if ('id' in run) await runs.end(run, { state: 'failed', error: 'it was stopped' })
    clock.ms += 2 * hour
    await one.look()
    expect(await rowsOf(db)).toEqual([
      'daily 11-22T03:10 schedule failed',
      'daily 11-22T10:30 again succeeded',
      'daily 11-22T10:30 hand failed',
    ])
  })

  it('retries a run within the hour that failed while the clock was days ahead, when storages refuse requests', async () => {
    const monthly = { ...hourly, name: 'monthly', cron: '30 3 1 * *' }
    const { db, clock, makeOne } = await open([monthly])
    const one = makeOne()
    const turn = async (how: 'done' | 'broken') => {
      await one.look()
      await one.end(how)
    }
    await turn('done')
    clock.ms += 10 * 24 * hour
    await turn('broken')
    clock.ms = start + hour
    await turn('done')
    expect(await rowsOf(db)).toEqual([
      'monthly 11-01T03:30 schedule succeeded',
      'monthly 11-22T10:30 again succeeded',
      'monthly 12-01T03:30 schedule failed',
    ])
  })

  it('does not repeat a failed run over and over between two schedulers with clocks hours apart', async () => {
    const { db, clock, makeOne } = await open([{ ...hourly, name: 'monthly', cron: '30 3 1 * *' }])
    const [ahead, right] = [makeOne(), makeOne()]
    for (let passed = 0; passed < hour; passed += 10 * minute)
      for (const [one, byMs] of [
        [ahead, 2 * hour],
        [right, 0],
      ] as const) {
        clock.ms = start + passed + byMs
        await one.look()
        await one.end('broken')
      }
    expect(await rowsOf(db)).toHaveLength(2)
  })

  it('runs jobs for new content at every start', async () => {
    const { db, clock, makeOne } = await open([{ ...hourly, isForStart: true }])
    for (let life = 0; life < 2; life++) {
      const one = makeOne()
      await one.look()
      await one.end()
      await one.look()
      clock.ms += minute
    }
    expect(await rowsOf(db)).toEqual(['hourly 11-22T09:00 schedule succeeded', 'hourly 11-22T09:31 again succeeded'])
  })

  it('continues after a run whose end could not be recorded', async () => {
    const { db, clock, makeOne } = await open()
    const one = makeOne()
    await one.look()
    const allow = await refuseWrites(db, 'update', 'job_run')
    await one.end()
    await allow()
    await one.look()
    expect(one.count()).toBe(0)
    clock.ms += 10_000
    await one.look()
    expect(one.count()).toBe(1)
  })

  it('stops at once when aborted, and says so', async () => {
    const { db, makeOne } = await open()
    const one = makeOne()
    const loop = one.scheduler.start()
    while (one.count() === 0) await wait(1)
    const from = performance.now()
    one.stop.abort()
    await Promise.all([loop, one.scheduler.idle()])
    expect(performance.now() - from).toBeLessThan(15_000)
    expect(await db.selectFrom('job_run').select(['state', 'error']).execute()).toEqual([
      { state: 'failed', error: 'it was stopped' },
    ])
  })
})

const steps = figure(10_000, 100_000)
const stepsEach = 250

it(`two schedulers run no due time twice, however clocks jump and processes die (${steps} steps)`, {
  timeout: limitMs(600_000, 1_200_000),
}, async () => {
  const step = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom('look', 'look', 'look', 'end', 'break', 'die', 'jump'),
    ms: fc.oneof(fc.integer({ min: 0, max: 30 * minute }), fc.integer({ min: -5 * hour, max: 30 * hour })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: stepsEach, maxLength: stepsEach }), async (actions) => {
      const jobs = [hourly, { ...hourly, name: 'daily', cron: '10 3 * * *', windowMs: 26 * hour }]
      const toLatest = (everyMs: number, afterMs: number) =>
        Math.floor((clock.ms - afterMs) / everyMs) * everyMs + afterMs
      const { db, clock, makeOne } = await open(jobs)
      let life = 0
      // An owner on another host, so that only its lease tells when it is dead.
      const enter = () => makeOne(`elsewhere/${++life}/1/x`)
      const processes = [enter(), enter()]
      const asked = new Set<string>()
      for (const { who, what, ms } of actions) {
        const one = processes[who] ?? enter()
        if (what === 'end') await one.end()
        else if (what === 'break') await one.end('broken')
        else if (what === 'die') processes[who] = enter()
        else {
          if (what === 'jump') clock.ms += ms
          else clock.ms += Math.abs(ms) % minute
          await one.look()
          asked.add(`hourly ${toLatest(hour, 0)}`).add(`daily ${toLatest(24 * hour, 3 * hour + 10 * minute)}`)
        }
      }
      const rows = await db.selectFrom('job_run').selectAll().where('origin', '=', 'schedule').execute()
      const dues = rows.map(({ job, due_at }) => `${job} ${due_at}`)
      // Each due time ran once, and only times that were the latest when a scheduler looked.
      expect(dues.toSorted()).toEqual([...asked].toSorted())
      const running = await db.selectFrom('job_run').select('job').where('state', '=', 'running').execute()
      expect(running.length).toBe(new Set(running.map(({ job }) => job)).size)
      await db.destroy()
    }),
    { numRuns: steps / stepsEach, ...seed },
  )
})
