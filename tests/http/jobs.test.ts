import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cronHealthSchema } from '../../src/jobs/cron-health-schema.ts'
import { jobTable } from '../../src/jobs/job-table.ts'
import { runProgram } from '../support/run-program.ts'
import { testGameUrl } from '../support/running-service.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { openTestLedger, toPlace } from '../support/test-databases.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const nowhere = { facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' }
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-jobs-'))

const readHealth = async (site: RunningSite) => {
  const body: unknown = await (await site.fetch('/api/cron-health.json')).json()
  expect(findSchemaErrors(specSchemas.cronHealth, body)).toEqual([])
  return cronHealthSchema.parse(body)
}

/** Runs `npm run job` with these words, also while a site runs. */
const job = async (...words: string[]) => {
  const { PATH = '' } = process.env
  const addresses = { BASE_URL: testBaseUrl, GAME_URL: testGameUrl, RPC_URL: nowhere.rpcUrl }
  const env = { PATH, ...(await toPlace(dataDir)), PORT: '0', ...addresses }
  const { status, stdout, stderr } = await runProgram(process.execPath, ['src/commands/job.ts', ...words], {
    cwd: root,
    env,
  })
  return { status, said: (stdout.toString() + stderr).trim().split('\n') }
}

describe('a site whose jobs are switched off', () => {
  let site: RunningSite
  beforeAll(async () => {
    site = await startSite({ ...nowhere, dataDir })
  })
  afterAll(() => site?.kill('SIGTERM'))

  it('says that nothing has run, with 200', async () => {
    const answer = await site.fetch('/api/cron-health.json')
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-cache',
    ])
    expect(await answer.json()).toEqual({ fresh: false, cronLastRun: null, byTier: {}, ok: true, failing: [] })
    const page = await (await site.fetch('/status')).text()
    expect(page).toContain('This server runs no jobs by itself')
    expect(page).toContain('The payment facilitator does not answer')
    expect(page).toContain('It backs up the data folder.')
  })

  it('shows a job that a person has run with the command', async () => {
    const made = await job('hourly-backup')
    expect([made.status, made.said.at(-1)]).toEqual([0, 'hourly-backup is done'])
    const { fresh, byTier } = await readHealth(site)
    expect([fresh, Object.keys(byTier)]).toEqual([true, ['hourly-backup']])
    expect(byTier['hourly-backup']).toMatchObject({
      ok: true,
      results: { prefix: expect.stringMatching(/^hourly\/.+Z$/), tables: expect.any(Number) },
    })
    expect(await (await site.fetch('/status')).text()).toMatch(/\d+ tables, [\d.]+ kB, restored and compared\./)
  })

  it('shows a failed job with its reason, and that something needs attention', async () => {
    const db = await openTestLedger(dataDir)
    const at = Date.now()
    await db
      .insertInto('job_run')
      .values({
        id: 'x',
        job: 'daily-backup',
        due_at: at,
        origin: 'schedule',
        state: 'failed',
        owner: 'x/1/1/y',
        lease_until: at,
        fence: 1,
        started_at: at - 2000,
        finished_at: at,
        error: "Error: ENOSPC: no space left on device, write '/srv/press/a.gz' < Error: inner",
      })
      .execute()
    await db.destroy()
    expect(await readHealth(site)).toMatchObject({
      cronLastRun: { tier: 'daily-backup', ok: false },
      ok: false,
      failing: ['daily-backup'],
    })
    const reason = /Daily backup failed: ENOSPC: no space left on device, write (?:'|&#39;)a\.gz(?:'|&#39;)\./
    expect(await (await site.fetch('/status')).text()).toMatch(reason)
    const alternate = await site.fetch('/status', { headers: { accept: 'text/markdown' } })
    expect([alternate.headers.get('content-type'), alternate.headers.get('vary')]).toEqual([
      'text/markdown; charset=utf-8',
      expect.stringMatching(/Accept/),
    ])
    const text = await alternate.text()
    expect(text).toMatch(/^# Status\n/)
    expect(text).toMatch(reason)
    expect(await (await site.fetch('/status.md')).text()).toContain('| Daily backup | failed |')
  })

  it.each([
    ['/status', 'GET, HEAD, OPTIONS'],
    ['/status.md', 'GET, HEAD, OPTIONS'],
    ['/api/cron-health.json', 'GET, HEAD, OPTIONS'],
  ])('answers other methods with a problem: %s', async (path, allow) => {
    const answer = await site.fetch(path, { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
  })
})

describe('a site that runs its jobs', () => {
  it('runs each job once at its first start, stops in time, and runs none again for the same time', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'farthing-new-'))
    const start = () => startSite({ ...nowhere, dataDir, env: { JOBS: 'on' } })
    const first = await start()
    const tiers = jobTable.filter(({ isTier }) => isTier).map(({ name }) => name)
    while (Object.keys((await readHealth(first)).byTier).length < tiers.length) await wait(100)
    const { fresh, byTier } = await readHealth(first)
    expect([fresh, Object.keys(byTier)]).toEqual([true, tiers])
    expect(Object.values(byTier).map(({ ok, error }) => error ?? ok)).toEqual(tiers.map(() => true))
    expect(byTier['media-scan']?.results).toContainEqual({
      slug: 'never-charge-twice',
      state: 'skipped',
      reason: expect.stringContaining('NARRATION=off'),
    })
    expect(readdirSync(join(dataDir, 'backups')).filter((name) => /ly$/.test(name))).toHaveLength(4)
    const from = performance.now()
    await first.kill('SIGTERM')
    expect([first.child.exitCode, performance.now() - from < 10_000]).toEqual([0, true])
    const second = await start()
    await wait(500)
    const after = (await readHealth(second)).byTier
    await second.kill('SIGTERM')
    for (const name of ['daily-backup', 'weekly-backup', 'monthly-backup']) expect(after[name]).toEqual(byTier[name])
    rmSync(dataDir, { recursive: true })
  })
})

describe('npm run job', () => {
  it('lists the jobs', async () => {
    const { status, said } = await job('--help')
    expect(status).toBe(0)
    for (const { name } of jobTable) expect(said.join('\n')).toContain(`  ${name} `)
  })

  it('refuses a name that no job has', async () => {
    expect(await job('no-such-job')).toEqual({ status: 1, said: ['there is no job no-such-job; --help lists them'] })
  })

  it('prints the result of a job', async () => {
    expect(await job('reconcile')).toEqual({ status: 0, said: ['{"open":0}', 'reconcile is done'] })
  })
})
