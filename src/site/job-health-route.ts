import { shareTurn } from '../core/share-turn.ts'
import { served } from '../endpoints/served.ts'
import { answerDocument } from '../http/answer-document.ts'
import { get, type Route } from '../http/route.ts'
import type { Jobs } from '../jobs/jobs.ts'

const path = '/api/cron-health.json'

/** `/api/cron-health.json`, which monitors ask over and over: one look at the ledger for all who ask at once. */
export function makeJobHealthRoute(jobs: Pick<Jobs, 'health'>): Route {
  const read = shareTurn(async () => JSON.stringify(await jobs.health()))
  return get(path, async (request) => answerDocument(request, { ...served(path), text: await read() }))
}
