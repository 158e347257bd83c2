import { Problem } from '../../src/core/problem.ts'
import { get, type Route } from '../../src/http/route.ts'
import { answerJson } from '../store/answer-json.ts'
import type { CupRecords } from './cup-records.ts'

/** The JSON routes of cups: the list, one cup with its standings, and the file of one run. */
export function makeCupRoutes(records: CupRecords): Route[] {
  return [
    get('/api/cups', async () => answerJson(await records.list())),
    get('/api/cups/:id', async (_, id) => {
      const cup = await records.find(id)
      if (!cup) throw new Problem('not-found', { detail: 'There is no such cup. GET /api/cups lists them' })
      return answerJson(cup)
    }),
    get('/api/cup-runs/:id', async (_, id) => {
      const run = await records.findRun(id)
      if (!run) throw new Problem('not-found', { detail: 'There is no such run, or its cup is not over' })
      return answerJson(run, 'public, max-age=86400, immutable')
    }),
  ]
}
