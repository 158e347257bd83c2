import { get, type Route } from '../http/route.ts'
import type { Readiness } from './readiness.ts'

const headers = { 'cache-control': 'no-store' }

/** `/healthz` while the process lives, `/readyz` while it can also sell. */
export const makeHealthRoutes = (check: () => Promise<Readiness>): Route[] => [
  get('/healthz', () => Response.json({ ok: true }, { headers })),
  get('/readyz', async () => {
    const readiness = await check()
    return Response.json(readiness, { status: readiness.ready ? 200 : 503, headers })
  }),
]
