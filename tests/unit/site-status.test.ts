import { describe, expect, it } from 'vitest'
import type { NamedFinding } from '../../src/core/finding.ts'
import type { EndedRun } from '../../src/jobs/cron-health.ts'
import { describeResult } from '../../src/jobs/describe-result.ts'
import { toJobOverviews } from '../../src/jobs/job-overview.ts'
import { toSiteStatus } from '../../src/jobs/site-status.ts'

const hour = 60 * 60 * 1000
const now = Date.UTC(2026, 10, 22, 9, 30)

describe('the result of a run', () => {
  const post = (state: string) => ({ slug: 'a', state })
  it.each([
    [[], 'There is no post.'],
    [[post('narrated')], 'Of 1 post: 1 narrated.'],
    [
      [post('narrated'), post('unchanged'), post('unchanged'), post('skipped'), post('failed')],
      'Of 5 posts: 1 narrated, 2 as before, 1 left out, and 1 failed.',
    ],
    [[{ ...post('skipped'), reason: 'it is quiet here' }], 'Of 1 post none is narrated: it is quiet here.'],
    [{ prefix: 'hourly/x', tables: 1, totalBytes: 999 }, '1 table, 999 bytes, restored and compared.'],
    [{ prefix: 'hourly/x', tables: 12, totalBytes: 1_449_000 }, '12 tables, 1.4 MB, restored and compared.'],
    [{ prefix: 'hourly/x', tables: 12, totalBytes: 812_345 }, '12 tables, 812 kB, restored and compared.'],
    [
      { prefix: 'hourly/x', tables: 12, totalBytes: 812_345, missing: ['0f', '1a'] },
      '12 tables, 812 kB, restored and compared. Without 2 sold products, missing or damaged in the store.',
    ],
    [{ open: 0 }, 'No payment is unfinished.'],
    [{ open: 1 }, '1 payment waits for the chain.'],
    [{ open: 2 }, '2 payments wait for the chain.'],
    [{ products: 0, payments: 0, runs: 0, backups: 0 }, 'Nothing was old enough.'],
    [{ products: 2, payments: 0, runs: 1, backups: 1 }, 'Dropped 2 old products, 1 line of history, and 1 old backup.'],
    [
      { checkedAt: 'x', ranges: { a: {}, b: {} }, docs: { c: { isThere: true }, d: { isThere: false } } },
      '2 lists of address ranges; 2 pages of documentation answered, 1 gone.',
    ],
    [{ askedNobody: true }, 'Nobody was asked: in the sandbox that happens only with npm run job -- crawler-check.'],
    [undefined, 'Done.'],
  ])('%j is put into words', (result, sentence) => {
    expect(describeResult(result)).toBe(sentence)
  })
})

const run = (job: string, more: Partial<EndedRun> = {}): EndedRun => ({
  id: job,
  job,
  due_at: now,
  origin: 'schedule',
  state: 'succeeded',
  owner: 'x',
  lease_until: 0,
  fence: 1,
  started_at: now - 2000,
  finished_at: now - 1000,
  result: '{}',
  error: null,
  ...more,
})
const failed = (error: string) => ({ state: 'failed' as const, error, result: null })

describe('the state of the site', () => {
  const look = (ended: EndedRun[], running: { job: string; started_at: number }[] = []) => {
    const jobs = toJobOverviews({ ended, running, now })
    const status = toSiteStatus({
      readiness: { ledger: true, facilitator: true, settling: true, findings: [] },
      reversed: 0,
      runsJobs: true,
      jobs,
      now,
    })
    const states = jobs.flatMap(({ name, state, sentence }) => (state === 'never' ? [] : [[name, state, sentence]]))
    return { states, troubles: status.troubles }
  }

  it('is in order when the site is new, and when every job succeeded', () => {
    expect(look([])).toEqual({ states: [], troubles: [] })
    expect(look([run('reconcile')]).troubles).toEqual([])
  })

  it('names a failed job with its reason, but not an interrupted one that resumes by itself', () => {
    const ended = [
      run('hourly-backup', failed('Error: no space left < inner')),
      run('media-scan', failed('it was stopped')),
    ]
    expect(look(ended)).toEqual({
      states: [
        ['hourly-backup', 'failed', 'No space left.'],
        ['media-scan', 'stopped', 'It was stopped.'],
      ],
      troubles: ['Hourly backup failed: No space left.'],
    })
  })

  it('names an overdue job unless it is running', () => {
    const old = run('hourly-backup', { finished_at: now - 2 * hour - 1 })
    expect(look([old]).troubles).toEqual(['Hourly backup is late: its last run ended at 2026-11-22 07:29 UTC.'])
    expect(look([old], [{ job: 'hourly-backup', started_at: now }]).troubles).toEqual([])
  })

  it('says what prevents or will prevent sales, with what to do, and omits what is in order', () => {
    const findings: NamedFinding[] = [
      { name: 'ledger', is: 'ok', sentence: 'The ledger takes writes.' },
      { name: 'chain', is: 'failure', sentence: 'The RPC is of chain 1.', advice: 'Set RPC_URL.' },
      { name: 'facilitator', is: 'warning', sentence: 'It is slow.' },
    ]
    const readiness = { ledger: true, facilitator: true, settling: true, findings }
    expect(toSiteStatus({ readiness, reversed: 2, runsJobs: true, jobs: [], now }).troubles).toEqual([
      'The RPC is of chain 1. Set RPC_URL.',
      'It is slow.',
      'The chain has lost the transfers of 2 sales of the last week: delivered and not paid.',
    ])
    const inOrder = { ...readiness, findings: [] }
    expect(toSiteStatus({ readiness: inOrder, reversed: 1, runsJobs: true, jobs: [], now }).troubles).toEqual([
      'The chain has lost the transfers of a sale of the last week: delivered and not paid.',
    ])
  })
})
