import { toLogText } from '../core/log.ts'
import { cutOff } from './cut-off.ts'
import { type JobRuns, jobLeaseMs, type Run } from './job-runs.ts'

const renewEveryMs = 3000

/** How a run ended. */
export type RunOutcome<Result> =
  | { readonly is: 'ran'; readonly result: Result }
  | { readonly is: 'failed'; readonly error: unknown }
  /** The caller's signal ended it. */
  | { readonly is: 'stopped' }
  /** Another process has taken the run over, because this one stopped renewing its lease or ran for too long. */
  | { readonly is: 'lost' }

/** The work of a job. Must end when its signal aborts. `progress` stores what was done so far in the row of the run. */
export type Work<Result> = (signal: AbortSignal, progress: (soFar: Result) => Promise<void>) => Promise<Result>

interface Options<Result> {
  readonly runs: JobRuns
  readonly run: Run
  readonly name: string
  readonly work: Work<Result>
  readonly signal: AbortSignal | undefined
  readonly now: () => number
}

/** Does the work of a run that has begun, renews its lease meanwhile, and records in its row how it ended. */
export async function carryOut<Result>(options: Options<Result>): Promise<RunOutcome<Result>> {
  const { runs, run, name, work, signal: outer, now } = options
  const lost = new AbortController()
  let leaseUntil = now() + jobLeaseMs
  const lose = () => lost.abort(new Error(`another process runs ${name}`))
  const renew = async () => {
    const asked = now()
    try {
      if (await runs.renew(run)) leaseUntil = asked + jobLeaseMs
      else lose()
    } catch {
      // If the ledger cannot be written to, the renewal is tried again for as long as the lease lasts.
      if (now() >= leaseUntil) lose()
    }
  }
  const timer = setInterval(() => void renew(), renewEveryMs).unref()
  const signal = AbortSignal.any([lost.signal, ...(outer ? [outer] : [])])
  try {
    const result = await work(signal, (soFar) => runs.keepProgress(run, JSON.stringify(soFar)))
    const isEnded = await runs.end(run, { state: 'succeeded', result: JSON.stringify(result) })
    return isEnded ? { is: 'ran', result } : { is: 'lost' }
  } catch (error) {
    if (lost.signal.aborted) return { is: 'lost' }
    const isStopped = outer?.aborted ?? false
    await runs.end(run, { state: 'failed', error: isStopped ? cutOff.stopped : toLogText(error) })
    return isStopped ? { is: 'stopped' } : { is: 'failed', error }
  } finally {
    clearInterval(timer)
  }
}
