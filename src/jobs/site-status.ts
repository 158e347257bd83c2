import { toMinuteText } from '../core/minute-text.ts'
import type { JobOverview } from './job-overview.ts'

interface Facts {
  readonly readiness: {
    readonly ledger: boolean
    readonly facilitator: boolean
    readonly settling: boolean
    readonly gas?: { readonly settlementsLeft: number; readonly isLow: boolean }
  }
  /** Sales of the last week whose transfer the chain has lost. */
  readonly reversed: number
  /** Whether this program runs jobs when they are due. */
  readonly runsJobs: boolean
  readonly jobs: readonly JobOverview[]
  readonly now: number
}

/** How the whole press does, for people: what is known, put together, and what is wrong with it. */
export const toSiteStatus = ({
  readiness: { ledger, facilitator, settling, gas },
  reversed,
  runsJobs,
  jobs,
  now,
}: Facts) => ({
  checkedAt: new Date(now),
  ledger,
  facilitator,
  settling,
  /** Payments that the gas wallet still settles, where it is ours. */
  settlementsLeft: gas?.settlementsLeft,
  runsJobs,
  jobs,
  /** What somebody should look at, a sentence each; none when everything is in order. */
  troubles: [
    ...(ledger ? [] : ['The ledger cannot be written, so nothing can be sold. Is the disk full?']),
    ...(facilitator ? [] : ['The payment facilitator does not answer, so nothing can be sold just now.']),
    ...(facilitator && !settling ? ['Payments are sent, and none of them settles just now.'] : []),
    ...(gas?.isLow ? [`The gas wallet pays for ${gas.settlementsLeft} more settlements; send it some ether.`] : []),
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
