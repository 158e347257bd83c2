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

/** Opens the health checks of a press: of what sales need, of its jobs, and whether it serves the newest build. */
export function openPressHealth({ db, payments, jobs, ...looked }: Options) {
  let isBuildRefused = false
  const health = openHealth({ ...looked, refusesBuild: () => isBuildRefused })
  const checkReadiness = makeReadiness({ db, isSettling: payments.isSettling, health })
  return {
    findings: health.findings,
    start: health.start,
    close: health.close,
    checkReadiness,
    /** Call it for each announced build, with whether it is served. */
    noteBuild(is: 'served' | 'refused'): void {
      isBuildRefused = is === 'refused'
    },
    /** The status of the whole press, for people. */
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
