import { openHealth } from '../health/open-health.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { toSiteStatus } from '../jobs/site-status.ts'
import type { openPayments } from '../payments/open-payments.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { makeReadiness } from './readiness.ts'

interface Options extends Omit<Parameters<typeof openHealth>[0], 'refusesBuild'> {
  readonly db: LedgerDatabase
  readonly payments: Pick<ReturnType<typeof openPayments>, 'isSettling' | 'reversed'>
  readonly jobs: Pick<Jobs, 'overview'>
}

/** How a press does: what its sales need, its jobs, and whether it serves the newest build. */
export function openPressHealth({ db, payments, jobs, ...looked }: Options) {
  let isBuildRefused = false
  const health = openHealth({ ...looked, refusesBuild: () => isBuildRefused })
  const checkReadiness = makeReadiness({ db, isSettling: payments.isSettling, health })
  return {
    findings: health.findings,
    start: health.start,
    close: health.close,
    checkReadiness,
    /** Is told of each announced build whether it is served. */
    noteBuild(is: 'served' | 'refused'): void {
      isBuildRefused = is === 'refused'
    },
    /** How the whole press does, for people. */
    status: async () =>
      toSiteStatus({
        readiness: await checkReadiness(),
        reversed: await payments.reversed(),
        runsJobs: looked.config.runsJobs,
        jobs: await jobs.overview(),
        now: Date.now(),
      }),
  }
}
