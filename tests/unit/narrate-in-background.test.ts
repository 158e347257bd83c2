import { expect, it } from 'vitest'
import type { JobOutcome } from '../../src/jobs/run-job.ts'
import type { ScannedPost } from '../../src/media/media-scan.ts'
import { narrateInBackground } from '../../src/server/narrate-in-background.ts'

type Outcome = JobOutcome<ScannedPost[]>
const narrated: ScannedPost = { slug: 'a', state: 'narrated', storageKey: 'a-1', durationSeconds: 4 }
const failed: ScannedPost = { slug: 'b', state: 'failed', reason: 'the disk is full' }
const ran = (...result: ScannedPost[]): Outcome => ({ is: 'ran', result })

/** Runs it over these outcomes, one after another, with pauses of milliseconds. */
async function follow(outcomes: (Outcome | Error)[], { busyMs = 1, retryMs = 1 } = {}) {
  const logged: string[] = []
  const stop = new AbortController()
  const scan = async (): Promise<Outcome> => {
    const outcome = outcomes.shift()
    if (outcomes.length === 0) setTimeout(() => stop.abort(), 50)
    if (outcome instanceof Error || outcome === undefined) throw outcome ?? new Error('asked too often')
    return outcome
  }
  await narrateInBackground({
    scan,
    log: (event, fields) => logged.push(`${event} ${JSON.stringify(fields)}`),
    signal: stop.signal,
    busyMs,
    retryMs,
  })
  return { logged, left: outcomes.length }
}

it('scans once when every post is dealt with', async () => {
  const { logged, left } = await follow([ran(narrated, { slug: 'c', state: 'skipped', reason: 'Japanese' }), ran()])
  expect([logged, left]).toEqual([['media-scan.ran {"narrated":1,"unchanged":0,"skipped":1,"failed":0}'], 1])
})

it('scans again after a failure, after another process, and after a fault of its own', async () => {
  const error = new Error('no worker')
  const outcomes = [ran(failed), { is: 'busy', owner: 'x' }, { is: 'lost' }, { is: 'failed', error }, error] as const
  const { logged, left } = await follow([...outcomes, ran(narrated)])
  expect(left).toBe(0)
  expect(logged).toEqual([
    'media-scan.ran {"narrated":0,"unchanged":0,"skipped":0,"failed":1}',
    'job.failed {"job":"media-scan","error":"another process took it over"}',
    'job.failed {"job":"media-scan","error":"Error: no worker"}',
    'job.failed {"job":"media-scan","error":"Error: no worker"}',
    'media-scan.ran {"narrated":1,"unchanged":0,"skipped":0,"failed":0}',
  ])
})

it('ends at once when it is stopped while it waits', async () => {
  const from = performance.now()
  await follow([ran(failed)], { retryMs: 60_000 })
  await follow([{ is: 'stopped' }], { retryMs: 60_000 })
  expect(performance.now() - from).toBeLessThan(5000)
})
