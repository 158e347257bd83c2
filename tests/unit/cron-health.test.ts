import { describe, expect, it } from 'vitest'
import { toPrefix } from '../../src/backups/backup-tiers.ts'
import { documents, toJsonSchema } from '../../src/core/json-schema.ts'
import type { Work } from '../../src/jobs/carry-out.ts'
import { type EndedRun, toCronHealth } from '../../src/jobs/cron-health.ts'
import { cronHealthSchema } from '../../src/jobs/cron-health-schema.ts'
import { cutOff } from '../../src/jobs/cut-off.ts'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 10, 22, 9, 30)
const scan = [
  { slug: 'a', state: 'narrated', storageKey: 'a-1', durationSeconds: 4 },
  { slug: 'b', state: 'failed', reason: "EISDIR: illegal operation, open '/home/press/.data/audio/b.mp3'" },
]
const backup = {
  prefix: 'hourly/2026-11-22T093000Z',
  tables: 12,
  totalBytes: 4096,
  rows: { 'ledger.sale': 3 },
  missing: [],
}

/** Jobs that take a second each by a clock of their own; `fails` has the errors of failing ones. */
async function open(fails: Readonly<Record<string, string>> = {}) {
  const clock = { ms: start }
  const db = await openTestLedger()
  const work =
    (name: string, result: unknown): Work<unknown> =>
    async () => {
      clock.ms += 1000
      if (fails[name] !== undefined) throw new Error(fails[name])
      return result
    }
  const works = {
    'hourly-backup': work('hourly-backup', backup),
    'media-scan': work('media-scan', scan),
    'daily-backup': work('daily-backup', backup),
    'weekly-backup': work('weekly-backup', backup),
    'monthly-backup': work('monthly-backup', backup),
    reconcile: work('reconcile', { open: 0 }),
    publish: work('publish', { published: false }),
    websub: work('websub', null),
    webmentions: work('webmentions', null),
    newsletter: work('newsletter', null),
    'crawler-check': work('crawler-check', null),
    retention: work('retention', { products: 0 }),
  }
  const { signal } = new AbortController()
  const jobs = openJobs({ db, works, log: () => {}, signal, now: () => clock.ms })
  /** The health document, validated against the specification and our own schema in every state. */
  const health = async () => {
    const document = await jobs.health()
    expect(findSchemaErrors(specSchemas.cronHealth, document)).toEqual([])
    expect(findSchemaErrors(toJsonSchema(cronHealthSchema), document)).toEqual([])
    expect(cronHealthSchema.parse(document)).toEqual(document)
    return document
  }
  return { clock, db, jobs, health }
}

describe('the health of the jobs', () => {
  it('is published with an example in which the prefix is that of a backup begun by that run', () => {
    const { results, startedAt = '' } =
      cronHealthSchema.parse(documents.get(cronHealthSchema)?.example).cronLastRun ?? {}
    expect(results).toMatchObject({ prefix: toPrefix('hourly', Date.parse(startedAt)) })
  })

  it('of a new installation says that nothing has run', async () => {
    const { health } = await open()
    expect(await health()).toEqual({ fresh: false, cronLastRun: null, byTier: {}, ok: true, failing: [] })
  })

  it('shows the latest run of each tier, and of all', async () => {
    const { clock, jobs, health } = await open()
    await jobs.run('hourly-backup')
    clock.ms += minute
    await jobs.run('media-scan')
    clock.ms += 90_500
    const mediaScan = {
      cron: '*/15 * * * *',
      tier: 'media-scan',
      startedAt: '2026-11-22T09:31:01.000Z',
      finishedAt: '2026-11-22T09:31:02.000Z',
      ok: true,
      fresh: true,
      results: [scan[0], { slug: 'b', state: 'failed', reason: "EISDIR: illegal operation, open 'b.mp3'" }],
    }
    expect(await health()).toEqual({
      fresh: true,
      secondsSinceLastRun: 90,
      cronLastRun: mediaScan,
      byTier: {
        'hourly-backup': {
          cron: '0 * * * *',
          tier: 'hourly-backup',
          startedAt: '2026-11-22T09:30:00.000Z',
          finishedAt: '2026-11-22T09:30:01.000Z',
          ok: true,
          fresh: true,
          results: { prefix: 'hourly/2026-11-22T093000Z', tables: 12, totalBytes: 4096 },
        },
        'media-scan': mediaScan,
      },
      ok: true,
      failing: [],
    })
  })

  it('fails while a backup fails, however well the others do, until one succeeds', async () => {
    const fails: Record<string, string> = { 'daily-backup': 'ENOSPC: no space left on device' }
    const { jobs, health } = await open(fails)
    await jobs.run('daily-backup')
    expect(await health()).toMatchObject({ ok: false, failing: ['daily-backup'], cronLastRun: { ok: false } })
    for (const name of ['hourly-backup', 'media-scan']) await jobs.run(name)
    const { fresh, cronLastRun, ok, failing } = await health()
    expect([fresh, cronLastRun?.ok, ok, failing]).toEqual([true, true, false, ['daily-backup']])
    delete fails['daily-backup']
    await jobs.run('daily-backup')
    expect(await health()).toMatchObject({ ok: true, failing: [] })
  })

  it('fails while one tier is past its window, even if another is not', async () => {
    const { clock, jobs, health } = await open()
    await jobs.run('hourly-backup')
    clock.ms += 2 * hour + 1
    await jobs.run('media-scan')
    const { fresh, ok, failing } = await health()
    expect([fresh, ok, failing]).toEqual([true, false, ['hourly-backup']])
  })

  it('does not count an interrupted run, which resumes by itself, as failing', () => {
    const run = (error: string): EndedRun => ({
      ...{ id: 'x', job: 'hourly-backup', due_at: start, origin: 'schedule', state: 'failed', owner: 'x', fence: 1 },
      ...{ lease_until: 0, started_at: start, finished_at: start, result: null, error },
    })
    expect(toCronHealth([run(cutOff.stopped)], start)).toMatchObject({ ok: true, cronLastRun: { ok: false } })
    expect(toCronHealth([run('Error: no space left')], start)).toMatchObject({ ok: false })
  })

  it.each([
    ['it is stopped each time', cutOff.stopped],
    ['it ends its process each time', cutOff.gone],
  ])('fails when no backup completes within its window, because %s', async (_, why) => {
    const { clock, db, jobs, health } = await open()
    await jobs.run('hourly-backup')
    const cutTheNextOff = async () => {
      await jobs.run('hourly-backup')
      const [last] = await db.selectFrom('job_run').select('id').orderBy('fence', 'desc').limit(1).execute()
      const row = db.updateTable('job_run').set({ state: 'failed', error: why, result: null })
      await row.where('id', '=', last?.id ?? '').execute()
    }
    clock.ms += hour
    await cutTheNextOff()
    expect(await health()).toMatchObject({ ok: true, fresh: true })
    clock.ms += hour
    await cutTheNextOff()
    expect(await health()).toMatchObject({ ok: false, fresh: false, failing: ['hourly-backup'] })
    await jobs.run('hourly-backup')
    expect(await health()).toMatchObject({ ok: true, fresh: true })
  })

  it.each([cutOff.stopped, cutOff.gone])(
    'keeps a failed backup as failing until one succeeds, even if its next run ended because %s',
    async (why) => {
      const fails: Record<string, string> = { 'hourly-backup': 'ENOSPC: no space left on device' }
      const { clock, db, jobs, health } = await open(fails)
      await jobs.run('hourly-backup')
      clock.ms += minute
      for (const again of [1, 2]) {
        await jobs.run('hourly-backup')
        const [last] = await db.selectFrom('job_run').select('id').orderBy('fence', 'desc').limit(1).execute()
        await db
          .updateTable('job_run')
          .set({ error: why })
          .where('id', '=', last?.id ?? '')
          .execute()
        expect(await health(), `${again}`).toMatchObject({
          ok: false,
          failing: ['hourly-backup'],
          byTier: { 'hourly-backup': { error: why } },
        })
      }
      const [{ state, sentence } = {}] = await jobs.overview()
      expect([state, sentence]).toEqual(['failed', 'ENOSPC: no space left on device.'])
      delete fails['hourly-backup']
      await jobs.run('hourly-backup')
      expect(await health()).toMatchObject({ ok: true, failing: [] })
    },
  )

  it('ignores a skipped time, and keeps an earlier failure', async () => {
    const fails: Record<string, string> = { 'hourly-backup': 'ENOSPC: no space left on device' }
    const { clock, db, jobs, health } = await open(fails)
    const runs = makeJobRuns({ db, owner: 'here/1/1/x', now: () => clock.ms })
    await jobs.run('hourly-backup')
    const next = await runs.begin({ job: 'hourly-backup', dueAt: clock.ms })
    // That run is still under way when the next one is due.
    clock.ms += 1000
    await runs.beginDue({ job: 'hourly-backup', dueAt: clock.ms })
    if (!('id' in next)) throw new Error('it did not begin')
    const failing = { ok: false, failing: ['hourly-backup'] }
    expect(await health()).toMatchObject({ ...failing, cronLastRun: { error: fails['hourly-backup'] } })
    await runs.end(next, { state: 'failed', error: cutOff.stopped })
    expect(await health()).toMatchObject({ ...failing, cronLastRun: { error: cutOff.stopped } })
    delete fails['hourly-backup']
    await jobs.run('hourly-backup')
    const long = await runs.begin({ job: 'hourly-backup', dueAt: clock.ms })
    clock.ms += 1000
    await runs.beginDue({ job: 'hourly-backup', dueAt: clock.ms })
    expect('id' in long).toBe(true)
    expect(await health()).toMatchObject({ ok: true, cronLastRun: { ok: true } })
  })

  it('fails when the very first runs are interrupted for longer than the window', async () => {
    const { clock, db, jobs, health } = await open()
    for (const isOk of [true, true, false]) {
      await jobs.run('hourly-backup')
      await db.updateTable('job_run').set({ state: 'failed', error: cutOff.gone, result: null }).execute()
      expect((await health()).ok).toBe(isOk)
      clock.ms += 1.5 * hour
    }
  })

  it('counts a run that exceeded its time and was taken over as failing, because the next will do the same', () => {
    const run: EndedRun = {
      ...{ id: 'x', job: 'hourly-backup', due_at: start, origin: 'schedule', state: 'failed', owner: 'x', fence: 1 },
      ...{ lease_until: 0, started_at: start, finished_at: start, result: null, error: cutOff.tooLong },
    }
    expect(toCronHealth([run], start)).toMatchObject({ ok: false, failing: ['hourly-backup'] })
  })

  it('measures the latest run against the window of its own tier', async () => {
    const { clock, jobs, health } = await open()
    await jobs.run('weekly-backup')
    clock.ms += 7 * 24 * hour
    expect((await health()).fresh).toBe(true)
    await jobs.run('media-scan')
    const ended = clock.ms
    clock.ms = ended + 45 * minute
    expect((await health()).fresh).toBe(true)
    clock.ms += 1
    const { fresh, byTier } = await health()
    expect([fresh, byTier['media-scan']?.fresh, byTier['weekly-backup']?.fresh]).toEqual([false, false, true])
  })

  it('gives the reason of a failed run, without paths of this machine', async () => {
    const { jobs, health } = await open({ 'hourly-backup': "ENOSPC: no space left on device, write '/srv/press/x.gz'" })
    await jobs.run('hourly-backup')
    expect((await health()).cronLastRun).toMatchObject({
      ok: false,
      error: "ENOSPC: no space left on device, write 'x.gz'",
    })
    expect((await health()).cronLastRun).not.toHaveProperty('results')
  })

  it('omits jobs that are not tiers, and shows no negative age when the clock was set back', async () => {
    const { clock, jobs, health } = await open()
    for (const name of ['reconcile', 'retention']) await jobs.run(name)
    expect((await health()).byTier).toEqual({})
    for (const name of jobs.names) await jobs.run(name)
    clock.ms = start - hour
    const { byTier, secondsSinceLastRun } = await health()
    expect([Object.keys(byTier), secondsSinceLastRun]).toEqual([jobs.names.slice(0, 5), 0])
  })

  it('finds jobs by their own names only', async () => {
    const { jobs } = await open()
    await expect(jobs.run('no-such-job')).rejects.toThrow('there is no job named no-such-job')
  })
})
