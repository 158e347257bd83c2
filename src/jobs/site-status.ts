import type { NamedFinding } from '../core/finding.ts'
import { toMinuteText } from '../core/minute-text.ts'
import type { JobOverview } from './job-overview.ts'

interface Facts {
  readonly readiness: {
    readonly ledger: boolean
    readonly facilitator: boolean
    readonly settling: boolean
    readonly gas?: { readonly settlementsLeft: number }
    readonly findings: readonly NamedFinding[]
  }
  /** Sales of the last week whose transfer the chain has lost. */
  readonly reversed: number
  /** Whether this program runs jobs when they are due. */
  readonly runsJobs: boolean
  readonly jobs: readonly JobOverview[]
  readonly now: number
}

/** The state of the whole site, for people, with a list of everything that is wrong. */
export const toSiteStatus = ({
  readiness: { ledger, facilitator, settling, gas, findings },
  reversed,
  runsJobs,
  jobs,
  now,
}: Facts) => ({
  checkedAt: new Date(now),
  ledger,
  facilitator,
  settling,
  /** How many payments the gas wallet can still settle, where it is our own. */
  settlementsLeft: gas?.settlementsLeft,
  runsJobs,
  jobs,
  /** Everything that needs attention, a sentence each; empty when all is in order. */
  troubles: [
    ...findings.flatMap(({ is, sentence, advice }) =>
      is === 'ok' ? [] : [[sentence, advice].filter(Boolean).join(' ')],
    ),
    ...(reversed > 0
      ? [
          `The chain has lost the transfers of ${reversed === 1 ? 'a sale' : `${reversed} sales`} of the last week: delivered and not paid.`,
        ]
      : []),
    ...jobs.flatMap(({ title, state, sentence = '', lastAt }) => {
      if (state === 'failed') return [`${title} failed: ${sentence}`]
      return state === 'late' && lastAt ? [`${title} is late: its last run ended at ${toMinuteText(lastAt)}.`] : []
    }),
  ],
})

export type SiteStatus = ReturnType<typeof toSiteStatus>
