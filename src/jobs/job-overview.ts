import type { EndedRun } from './cron-health.ts'
import { endOf, failureOf, goesOn } from './cut-off.ts'
import { describeResult } from './describe-result.ts'
import { makeDueTimes } from './due-times.ts'
import { toPublicReason } from './job-results.ts'
import { jobTable } from './job-table.ts'

/** The state of one job, for people. */
export interface JobOverview {
  readonly name: string
  readonly title: string
  readonly about: string
  /** `late`: its last run ended longer ago than its window, and none is under way. */
  readonly state: 'never' | 'running' | 'done' | 'stopped' | 'failed' | 'late'
  /** What its last run did, or why it failed, in a sentence. */
  readonly sentence?: string
  readonly lastAt?: Date
  readonly nextAt?: Date
}

interface Facts {
  /** The latest run of each job that has ended. */
  readonly ended: readonly EndedRun[]
  readonly running: readonly { readonly job: string; readonly started_at: number }[]
  readonly now: number
}

/** Every job of the table, in its order. */
export const toJobOverviews = ({ ended, running, now }: Facts): JobOverview[] =>
  jobTable.map(({ name, title, about, cron, windowMs }) => {
    const last = ended.find(({ job }) => job === name)
    const next = makeDueTimes(cron).next(now)
    return {
      name,
      title,
      about,
      state: stateOf(
        last,
        running.some(({ job }) => job === name),
        now - windowMs,
      ),
      ...(last && { sentence: describeRun(last), lastAt: new Date(last.finished_at) }),
      ...(next !== undefined && { nextAt: new Date(next) }),
    }
  })

function stateOf(last: EndedRun | undefined, isRunning: boolean, lateBefore: number): JobOverview['state'] {
  if (isRunning) return 'running'
  if (last === undefined) return 'never'
  if (endOf(last) < lateBefore) return 'late'
  if (failureOf(last) !== null) return 'failed'
  return goesOn(last.error) ? 'stopped' : 'done'
}

const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

function describeRun(run: EndedRun): string {
  const { result } = run
  const error = failureOf(run) ?? run.error
  if (error !== null) return toSentence(toPublicReason(error))
  return describeResult(result === null ? undefined : JSON.parse(result))
}
