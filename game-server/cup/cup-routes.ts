import { Problem } from '../../src/problem.ts'
import type { Route } from '../host/http/route.ts'
import { answerJson } from '../store/answer-json.ts'
import type { CupBooks } from './cup-books.ts'

/** Cups for programs: the list, one cup with its standings, and the file of one run. */
export function makeCupRoutes(books: CupBooks): Route[] {
  return [
    { path: '/api/cups', handlers: { GET: async () => answerJson(await books.list()) } },
    {
      path: '/api/cups/:id',
      handlers: {
        async GET(_, id) {
          const cup = await books.find(id)
          if (!cup) throw new Problem('not-found', { detail: 'There is no such cup. GET /api/cups lists them' })
          return answerJson(cup)
        },
      },
    },
    {
      path: '/api/cup-runs/:id',
      handlers: {
        async GET(_, id) {
          const run = await books.findRun(id)
          if (!run) throw new Problem('not-found', { detail: 'There is no such run, or its cup is not over' })
          return answerJson(run, 'public, max-age=86400, immutable')
        },
      },
    },
  ]
}
