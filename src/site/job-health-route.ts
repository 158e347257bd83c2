import { shareTurn } from '../core/share-turn.ts'
import { served } from '../endpoints/served.ts'
import type { Route } from '../http/route.ts'
import { shortRoute } from '../http/short-document.ts'
import type { Jobs } from '../jobs/jobs.ts'

const path = '/api/cron-health.json'

/** `/api/cron-health.json`. Monitors request it very often, so simultaneous requests share one query of the ledger. */
export const makeJobHealthRoute = (jobs: Pick<Jobs, 'health'>): Route =>
  shortRoute(path, {
    ...served(path),
    hasTag: true,
    read: shareTurn(async () => JSON.stringify(await jobs.health())),
  })
