import { setTimeout as wait } from 'node:timers/promises'
import type { JobOutcome } from '../jobs/run-job.ts'
import { type Log, toLogText } from '../log.ts'
import type { ScannedPost } from '../media/media-scan.ts'

interface Options {
  readonly scan: () => Promise<JobOutcome<ScannedPost[]>>
  readonly log: Log
  readonly signal: AbortSignal
  /** Another process narrates: it may die before it is done. */
  readonly busyMs?: number
  /** After a failure; twice as long each time. */
  readonly retryMs?: number
}

const longestRetryMs = 60 * 60 * 1000

/** Scans until every post that can be narrated is, or until the signal ends it. Never rejects. */
export async function narrateInBackground(options: Options): Promise<void> {
  const { signal, busyMs = 5000, retryMs = 60_000 } = options
  try {
    let pauseMs = retryMs
    for (;;) {
      const what = await scanOnce(options)
      if (what === 'done') return
      await wait(what === 'busy' ? busyMs : pauseMs, undefined, { signal, ref: false })
      if (what === 'failed') pauseMs = Math.min(pauseMs * 2, longestRetryMs)
    }
  } catch {
    // Stopped while it waited.
  }
}

async function scanOnce({ scan, log }: Options): Promise<'done' | 'busy' | 'failed'> {
  try {
    const outcome = await scan()
    switch (outcome.is) {
      case 'busy':
        return 'busy'
      case 'stopped':
        return 'done'
      case 'lost':
        log('job.failed', { job: 'media-scan', error: 'another process took it over' })
        return 'busy'
      case 'failed':
        log('job.failed', { job: 'media-scan', error: toLogText(outcome.error) })
        return 'failed'
      case 'ran': {
        const count = (state: ScannedPost['state']) => outcome.result.filter((post) => post.state === state).length
        const failed = count('failed')
        log('media-scan.ran', {
          narrated: count('narrated'),
          unchanged: count('unchanged'),
          skipped: count('skipped'),
          failed,
        })
        return failed > 0 ? 'failed' : 'done'
      }
    }
  } catch (error) {
    log('job.failed', { job: 'media-scan', error: toLogText(error) })
    return 'failed'
  }
}
