import type { Readiness } from '../../src/server/readiness.ts'
import type { Route } from './http/route.ts'

const headers = { 'cache-control': 'no-store' }

/** `/healthz` while the process lives, `/readyz` while it can also sell. */
export const makeHealthRoutes = (check: () => Promise<Readiness>): Route[] => [
  { path: '/healthz', handlers: { GET: () => Response.json({ ok: true }, { headers }) } },
  {
    path: '/readyz',
    handlers: {
      async GET() {
        const readiness = await check()
        return Response.json(readiness, { status: readiness.ready ? 200 : 503, headers })
      },
    },
  },
]
